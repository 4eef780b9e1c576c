"""From typed terms to one problem about numbers for each choice of sizes."""
