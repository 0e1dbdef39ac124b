"""Sets Kivy up for a window without a screen; imported before anything else of Kivy."""

import os

os.environ.update(
    SDL_VIDEODRIVER=os.environ.get("SDL_VIDEODRIVER", "offscreen"),
    KIVY_WINDOW="sdl2",
    KIVY_NO_ARGS="1",
    KIVY_NO_FILELOG="1",
    KIVY_LOG_MODE="PYTHON",
    KIVY_NO_ENV_CONFIG="1",
)

from kivy.config import Config

Config.remove_section("input")
Config.add_section("input")
Config.set("graphics", "maxfps", "0")
WIDTH, HEIGHT = os.environ.get("SUANHU_WINDOW", "360x640").split("x")
Config.set("graphics", "width", WIDTH)
Config.set("graphics", "height", HEIGHT)
