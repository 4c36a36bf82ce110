package io.fairlead.agent.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import tools.jackson.databind.node.ObjectNode;

/// The user's end of exec and attach: what they type, what they see, how large their screen is.
interface RemoteCommandChannels {
  /// Gets the size of the user's terminal whenever it changes.
  interface ResizeListener {
    void resize(int columns, int rows);
  }

  /// What the user sends, up to its end.
  InputStream input();

  /// What the user sees; closing it ends it where the protocol can say so.
  OutputStream output();

  OutputStream error();

  /// Sets the listener for sizes; it gets the last size that came before at once.
  void onResize(ResizeListener listener);

  /// Runs something when the user is gone; at once if they are.
  void onGone(Runnable action);

  /// Says how it ended, and that nothing more comes.
  ///
  /// @param status a [Status] as [RemoteCommandStatus] makes it
  void finish(ObjectNode status) throws IOException;
}
