"""What benches/compare.py is made of."""
