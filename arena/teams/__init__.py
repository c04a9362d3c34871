"""Teams: who belongs to one, invitations, tokens that members share, and bots that change hands."""
