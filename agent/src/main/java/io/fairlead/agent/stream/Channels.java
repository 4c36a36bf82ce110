package io.fairlead.agent.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import tools.jackson.databind.node.ObjectNode;

/// The user's end of exec and attach: what they type, what they see, how large their screen is.
interface Channels {
  /// Is told of the screen's size whenever it changes.
  interface Screen {
    void resize(int columns, int rows);
  }

  /// What the user sends, up to its end.
  InputStream input();

  /// What the user sees; closing it ends it where the protocol can say so.
  OutputStream output();

  OutputStream error();

  /// Names who is told of sizes; the last one that came before is told at once.
  void screen(Screen screen);

  /// Runs something when the user is gone; at once if they are.
  void onGone(Runnable action);

  /// Says how it ended, and that nothing more comes.
  ///
  /// @param status a [Status] as [Endings] makes it
  void finish(ObjectNode status) throws IOException;
}
