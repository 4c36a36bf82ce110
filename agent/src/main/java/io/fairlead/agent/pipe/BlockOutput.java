package io.fairlead.agent.pipe;

import java.io.IOException;
import java.io.OutputStream;

/// A stream to which single bytes are written like blocks of one.
public abstract class BlockOutput extends OutputStream {
  @Override
  public final void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public abstract void write(byte[] bytes, int offset, int length) throws IOException;
}
