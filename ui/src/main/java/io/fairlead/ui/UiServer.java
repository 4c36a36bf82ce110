package io.fairlead.ui;

import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerOptions;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.ui.asset.Assets;
import io.fairlead.ui.model.UiModel;
import io.fairlead.ui.session.Entrance;
import io.fairlead.ui.session.Logins;
import io.fairlead.ui.session.LoopbackEntrance;
import io.fairlead.ui.session.PeerUids;
import io.fairlead.ui.session.RandomTexts;
import io.fairlead.ui.session.Sessions;
import io.fairlead.ui.session.TlsEntrance;
import io.fairlead.ui.session.WrongLogins;
import io.fairlead.ui.stream.TopicHub;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The page on loopback, in plain HTTP: browsers count loopback as safe, and would refuse a
/// certificate that they do not know.
///
/// Nothing of the cluster is followed and no node is asked before a session shows something.
public final class UiServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(UiServer.class);
  private static final String HERE = "127.0.0.1";
  private static final String HERE_6 = "::1";

  private final UiHost host;
  private final UiOptions options;
  private final RandomTexts texts;
  private final InstantSource clock;
  private final Logins logins;
  private final Sessions sessions;
  private final Sessions remoteSessions;
  private final PeerUids peers;
  private final UiModel model;
  private final TopicHub hub;
  private final SupervisedLoop rest;
  private final HttpServer http;

  private UiServer(
      UiHost host, UiOptions options, RandomGenerator random, InstantSource clock, PeerUids peers)
      throws IOException {
    this.host = host;
    this.options = options;
    this.texts = new RandomTexts(random);
    this.clock = clock;
    this.logins = new Logins(texts, clock);
    this.sessions = new Sessions(texts, clock);
    this.remoteSessions = new Sessions(texts, clock);
    this.peers = peers;
    this.hub = new TopicHub(clock, texts.mark());
    this.model = new UiModel(host.watching(), clock, Pacer.system(), hub::wake);
    this.rest = SupervisedLoop.of("ui-rest").afterEach(Duration.ofMinutes(1)).start(model::rest);
    this.http = listening(options.port());
    try {
      http.start(handler(new LoopbackEntrance(logins), sessions));
      alsoIpv6();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private UiHandler handler(Entrance entrance, Sessions own) {
    return new UiHandler(host, options, Assets.load(), entrance, own, peers, model, hub, clock);
  }

  /// The same page for a listener that other machines reach. Its sessions are its own: a cookie of
  /// one listener opens nothing at the other.
  public RequestHandler remote(RemoteUsers users) {
    return handler(new TlsEntrance(users, new WrongLogins(clock)), remoteSessions);
  }

  /// Starts to listen: at the port that is wished for, or at any when that is taken.
  ///
  /// @param random must not be guessable
  public static UiServer start(
      UiHost host, UiOptions options, RandomGenerator random, InstantSource clock)
      throws IOException {
    return start(host, options, random, clock, PeerUids.ofKernel());
  }

  /// The same with another way to tell who is at the other end.
  static UiServer start(
      UiHost host, UiOptions options, RandomGenerator random, InstantSource clock, PeerUids peers)
      throws IOException {
    return new UiServer(host, options, random, clock, peers);
  }

  private static HttpServer listening(int port) throws IOException {
    HttpServer wished = HttpServer.of(options(port));
    try {
      wished.listen();
      return wished;
    } catch (IOException e) {
      wished.close();
      if (port == 0) {
        throw e;
      }
      HttpServer other = HttpServer.of(options(0));
      other.listen();
      return other;
    }
  }

  private static HttpServerOptions options(int port) {
    HttpServerOptions api = HttpServerOptions.forApi(HERE, port, Optional.empty());
    return new HttpServerOptions(
        "ui",
        HERE,
        port,
        Optional.empty(),
        HttpServerOptions.ClientCertificates.NONE,
        false,
        0,
        16 << 10,
        0,
        256,
        2,
        16,
        false,
        false,
        api.idle(),
        Optional.empty(),
        Duration.ZERO);
  }

  /// Names such as `localhost` may mean either address.
  private void alsoIpv6() {
    try {
      ServerSocketChannel socket = ServerSocketChannel.open();
      try {
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(HERE_6), http.port()));
        http.listen(socket);
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    } catch (IOException | UnsupportedOperationException e) {
      log.atDebug().addKeyValue("why", e.getMessage()).log("the page is on IPv4 only");
    }
  }

  public int port() {
    return http.port();
  }

  /// Which user of this machine is at the other end of a connection to another server of this
  /// process.
  public OptionalInt uidOf(SocketAddress peer, SocketAddress own) {
    return peers.of(peer, own);
  }

  /// A link for that user; empty when there were too many lately.
  ///
  /// @param uid whose processes may use the session; empty for any
  public Optional<UiLink> link(UiUser user, OptionalInt uid) {
    return logins
        .issue(new Logins.Grant(user, uid))
        .map(
            code ->
                new UiLink(
                    "http://" + HERE + ":" + port() + "/ui/#login=" + code,
                    clock.instant().plus(Logins.LIFE),
                    user.name()));
  }

  /// How many browsers are let in.
  public int sessions() {
    return sessions.count() + remoteSessions.count();
  }

  /// Whether a session shows something.
  public boolean isWatched() {
    return hub.isHeld();
  }

  /// Puts all browsers out.
  public void endSessions() {
    sessions.endAll();
    remoteSessions.endAll();
    hub.wake();
  }

  /// Ends all streams and stops to listen. Idempotent.
  @Override
  public void close() {
    hub.close();
    http.close();
    rest.close();
    model.close();
  }
}
