"""The steps of a report; some also finish a revised one."""
