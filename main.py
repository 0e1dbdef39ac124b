"""Where the app begins on a phone (python-for-android starts this file)."""

import os

os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")


def main() -> None:
    """Show the app."""
    from mobile_app.android.device import Phone
    from mobile_app.android.inference import open_session
    from mobile_app.ui.app import SuanhuApp
    from vision.read import Reader

    phone = Phone()
    os.environ.setdefault("SUANHU_HOME", str(phone.data_folder))
    SuanhuApp(phone, Reader(open_session)).run()


if __name__ == "__main__":
    main()
