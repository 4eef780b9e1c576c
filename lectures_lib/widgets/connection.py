"""A Jupyter server that sends each message at once.

    jupyter lab --ServerApp.kernel_websocket_connection_class=lectures_lib.widgets.connection.Prompt

Jupyter's server leaves the kernel's web socket to Nagle's algorithm: a small message waits until
the browser has acknowledged the one before, which browsers put off for up to 40 ms. A move
through Python is answered by three small messages, so every other move would take 40 ms longer.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class Prompt(ZMQChannelsWebsocketConnection):
    """The usual connection, with TCP_NODELAY on its socket."""

    def connect(self) -> Any:
        """Set the option as soon as the socket is open, and go on as usual."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
