"""What is done on a desktop to put the app onto a phone; neither the phone nor the wheel needs it."""
