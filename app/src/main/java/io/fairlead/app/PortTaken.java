package io.fairlead.app;

import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.instance.Ports;
import org.jspecify.annotations.Nullable;

/// Words the most common reason not to start: somebody else listens there.
public final class PortTaken {
  private static final String UP = "fairlead up --api-port";

  private PortTaken() {}

  /// Refuses a port that is taken; port 0 means any and is never taken.
  public static void check(String address, int port) {
    check(address, port, UP);
  }

  /// @param flag what chooses another port, `fairlead up --api-port`
  public static void check(String address, int port, String flag) {
    if (port != 0 && !Ports.free(address, port)) {
      throw problem(address, port, flag, null);
    }
  }

  static Problem problem(String address, int port, @Nullable Throwable cause) {
    return problem(address, port, UP, cause);
  }

  public static Problem problem(String address, int port, String flag, @Nullable Throwable cause) {
    return new Problem(
        Code.FL202,
        cause,
        port,
        address,
        Ports.holder(port).orElse("?"),
        flag + " " + Ports.freeAbove(address, port));
  }
}
