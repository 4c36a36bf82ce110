package io.fairlead.proxy.bgp;

import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Pacer;
import java.nio.file.Path;
import java.util.List;

/// A BIRD of our own on a machine of a test's network.
public final class PrivateBirdInside implements BgpEngine {
  private final PrivateBird bird;

  public PrivateBirdInside(Path directory, NetworkNamespace where) {
    this.bird =
        new PrivateBird(
            directory, List.of("nsenter", "--net=" + where.path(), "--"), Pacer.system());
  }

  @Override
  public void apply(BgpConfiguration configuration) {
    bird.apply(configuration);
  }

  @Override
  public boolean isActive() {
    return bird.isActive();
  }

  @Override
  public List<BgpSessionState> states() {
    return bird.states();
  }

  @Override
  public void close() {
    bird.close();
  }
}
