package io.fairlead.app.node;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.proxy.announce.AnnounceMeans;
import io.fairlead.proxy.bgp.BgpConfiguration;
import io.fairlead.proxy.bgp.BgpEngine;
import io.fairlead.proxy.bgp.BgpEngineException;
import io.fairlead.proxy.bgp.IncludedBird;
import io.fairlead.proxy.bgp.PrivateBird;
import io.fairlead.work.Pacer;
import java.nio.file.Path;
import java.util.Optional;

/// Which BIRD speaks BGP for this node: one of its own, or the machine's.
public final class BirdOptions {
  private static final String DIRECTORY = "bird-directory";

  /// The flag for networks whose broadcasts do not arrive.
  public static final String PROMISCUOUS = "announce-promiscuous";

  private static final String INCLUDE = "bird-include";
  private static final String CONTROL = "bird-control";

  private BirdOptions() {}

  /// As the command line says. Nothing is started or written yet.
  public static BgpEngine engine(Arguments arguments) {
    Optional<String> include = arguments.find(INCLUDE);
    Optional<String> control = arguments.find(CONTROL);
    if (include.isPresent() != control.isPresent()) {
      throw new FairleadException(
          ErrorCode.FL303,
          "--" + (include.isPresent() ? CONTROL : INCLUDE),
          "",
          "--bird-include=/etc/bird/fairlead.conf --bird-control=/run/bird/bird.ctl");
    }
    return include.isPresent()
        ? new IncludedBird(Path.of(include.get()), Path.of(control.orElseThrow()))
        : ofOwn(Path.of(arguments.text(DIRECTORY)));
  }

  /// The same, with how frames are heard.
  public static AnnounceMeans means(Arguments arguments) {
    return new AnnounceMeans(engine(arguments), arguments.on(PROMISCUOUS));
  }

  /// Ends what an earlier process left speaking to routers.
  ///
  /// @return what went wrong
  public static Optional<String> endLeft(Arguments arguments) {
    BgpEngine engine = engine(arguments);
    try {
      if (engine.isActive()) {
        engine.apply(BgpConfiguration.NONE);
      }
      return Optional.empty();
    } catch (BgpEngineException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /// One of our own in a directory.
  public static PrivateBird ofOwn(Path directory) {
    return new PrivateBird(directory, Pacer.system());
  }
}
