"""The phone app: Kivy over `table`.

What is not below `mobile_app.ui` and `mobile_app.android` needs neither Kivy nor a phone.
"""
