"""What models are asked: one prompt a file, with named fields, tagged parts and a version."""
