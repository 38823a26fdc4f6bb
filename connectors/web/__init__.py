"""Reading websites: what a site allows, its sitemaps, its pages."""
