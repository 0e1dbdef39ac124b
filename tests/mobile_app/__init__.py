"""Tests of the phone app; what needs a window or a JVM is marked `system`."""
