"""Android as the app's machine: everything goes through pyjnius to Android's own classes.

The modules import ``jnius`` at the top, so that classes are first looked up on the main thread; nothing
outside this package imports them on a desktop.
"""
