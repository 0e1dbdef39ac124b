"""What happens at one table: photo, confirmed hand, scored round."""
