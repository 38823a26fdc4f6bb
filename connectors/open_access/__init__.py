"""Open copies of scholarly works, and whether a work was retracted: asked by its DOI."""
