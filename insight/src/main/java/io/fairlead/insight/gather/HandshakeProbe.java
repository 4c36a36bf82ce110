package io.fairlead.insight.gather;

import io.fairlead.insight.evidence.ReachReport.Attempt;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/// Connects once and closes at once. The server sees a connection that is accepted and reset; no
/// byte is sent.
public final class HandshakeProbe {
  private final Ticker ticker;
  private final int limitMillis;

  public HandshakeProbe(Ticker ticker, int limitMillis) {
    this.ticker = ticker;
    this.limitMillis = limitMillis;
  }

  public Attempt connect(String address, int port) {
    long started = ticker.nanos();
    try (Socket socket = new Socket()) {
      // Closed with a reset: no state stays behind on either side.
      socket.setOption(java.net.StandardSocketOptions.SO_LINGER, 0);
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), port), limitMillis);
      return new Attempt(Outcome.ANSWERED, (ticker.nanos() - started) / 1e6, "");
    } catch (ConnectException e) {
      return new Attempt(
          isUnreachable(e) ? Outcome.UNREACHABLE : Outcome.REFUSED,
          (ticker.nanos() - started) / 1e6,
          "");
    } catch (SocketTimeoutException _) {
      return new Attempt(Outcome.NO_ANSWER, limitMillis, "");
    } catch (NoRouteToHostException _) {
      return new Attempt(Outcome.UNREACHABLE, 0, "");
    } catch (SocketException e) {
      return new Attempt(isUnreachable(e) ? Outcome.UNREACHABLE : Outcome.REFUSED, 0, "");
    } catch (IOException | IllegalArgumentException _) {
      return new Attempt(Outcome.UNREACHABLE, 0, "");
    }
  }

  /// The JDK words ENETUNREACH only so.
  private static boolean isUnreachable(SocketException e) {
    return String.valueOf(e.getMessage()).contains("unreachable");
  }
}
