"""The screens of the app, in Kivy."""
