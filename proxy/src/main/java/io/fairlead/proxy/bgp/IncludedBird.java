package io.fairlead.proxy.bgp;

import io.fairlead.work.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The machine's own BIRD, whose configuration includes one file of ours. It is neither started nor
/// ended here.
public final class IncludedBird implements BgpEngine {
  private static final Logger log = LoggerFactory.getLogger(IncludedBird.class);
  private static final String SESSION = "protocol bgp ";

  private final Path file;
  private final BirdControl control;

  /// @param file what its configuration includes
  /// @param socket where it is controlled
  public IncludedBird(Path file, Path socket) {
    this.file = file.toAbsolutePath();
    this.control = new BirdControl(socket, Ticker.system());
  }

  @Override
  public void apply(BgpConfiguration configuration) {
    if (configuration.sessions().isEmpty() && !isActive()) {
      return;
    }
    BirdFile.writeForGroup(file, BirdConfiguration.included(configuration));
    PrivateBird.reconfigure(control);
  }

  @Override
  public boolean isActive() {
    try {
      // The file stays when there is nothing to say: what includes it wants it to be there.
      return Files.exists(file) && Files.readString(file).contains(SESSION);
    } catch (IOException _) {
      // What is written next says why it cannot be.
      return true;
    }
  }

  @Override
  public List<BgpSessionState> states() {
    return isActive() ? PrivateBird.states(control) : List.of();
  }

  @Override
  public void close() {
    try {
      apply(BgpConfiguration.NONE);
    } catch (BgpEngineException e) {
      log.atWarn().addKeyValue("why", e.getMessage()).log("routes were not withdrawn");
    }
  }
}
