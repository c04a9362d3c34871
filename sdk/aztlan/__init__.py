"""What bot authors use: the kit, the command and the house bots."""
