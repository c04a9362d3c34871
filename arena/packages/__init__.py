"""The package that authors install, served from this arena as a package index."""
