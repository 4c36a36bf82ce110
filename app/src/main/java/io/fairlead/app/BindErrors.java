package io.fairlead.app;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.Ports;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.text.Phrase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Words the most common reasons not to start: another process listens there, or the address is not
/// of this machine.
public final class BindErrors {
  private static final String UP = "fairlead up --api-port";
  private static final int FIRST_FOR_ALL = 1024;

  /// What is added to a port of root's to get one for all: 8443 for 443.
  private static final int LIKE_IT = 8_000;

  private BindErrors() {}

  /// Refuses an address of another machine and a port that is taken; port 0 means any and is never
  /// taken.
  public static void check(String address, int port) {
    check(address, port, UP);
  }

  /// @param flag what chooses another port, `fairlead up --api-port`
  public static void check(String address, int port, String flag) {
    if (!Ports.free(address, port)) {
      throw problem(address, port, flag, null);
    }
  }

  static FairleadException problem(String address, int port, @Nullable Throwable cause) {
    return problem(address, port, UP, cause);
  }

  public static FairleadException problem(
      String address, int port, String flag, @Nullable Throwable cause) {
    if (!Ports.isOfThisMachine(address)) {
      return new FairleadException(
          ErrorCode.FL227, cause, address, String.join(", ", Ports.addresses()));
    }
    Optional<String> holder = Ports.holder(port);
    boolean rights = holder.isEmpty() && port < FIRST_FOR_ALL && ProcessFacts.effectiveUser() != 0;
    int other = Ports.freeAbove(address, rights ? LIKE_IT + port - 1 : port);
    return new FairleadException(
        ErrorCode.FL202,
        cause,
        port,
        rights ? Phrase.of("FL202.rights") : why(address, port, holder),
        Phrase.of(rights ? "FL202.other" : "FL202.stop", flag + " " + other));
  }

  private static Phrase why(String address, int port, Optional<String> holder) {
    return holder
        .map(program -> Phrase.of("FL202.taken", address, port, program))
        .orElseGet(() -> Phrase.of("FL202.hidden", address, port));
  }
}
