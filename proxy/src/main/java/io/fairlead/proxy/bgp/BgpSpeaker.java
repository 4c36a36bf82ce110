package io.fairlead.proxy.bgp;

import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Has an engine say what a node announces, and tells how the sessions stand.
///
/// How it works: the loop `bgp` owns the engine. It applies the newest configuration at once and
/// asks for the state of the sessions every second. What fails is applied again; an engine that
/// ended is started again that way.
public final class BgpSpeaker implements AutoCloseable {
  public static final String LOOP = "bgp";
  private static final Duration LOOK = Duration.ofSeconds(1);

  /// A session that begins is not down yet.
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /// How often passwords are read again: they are changed on both sides, at different moments.
  static final Duration READ_AGAIN = Duration.ofSeconds(30);

  /// Finds passwords. May throw when it cannot ask.
  @FunctionalInterface
  public interface PasswordSource {
    /// @param secret `NAMESPACE/NAME`
    /// @return empty when there is none that can be used
    Optional<BgpPassword> find(String secret);
  }

  /// Hears of sessions that come and go. Called by the loop.
  public interface SessionListener {
    void up(BgpSession session);

    void down(BgpSession session, BgpSessionState state);
  }

  private final BgpEngine engine;
  private final PasswordSource passwords;
  private final SessionListener listener;
  private final Ticker ticker;
  private final Duration period;
  private final SupervisedLoop loop;
  // Permits: one when there is something new to say.
  private final Semaphore changes = new Semaphore(0);
  private volatile @Nullable BgpConfiguration wanted;
  private volatile SortedMap<String, BgpSessionState> states = new TreeMap<>();
  // Owned by the loop's thread.
  private @Nullable BgpConfiguration applied;
  private final Map<String, Optional<BgpPassword>> known = new HashMap<>();
  private long passwordsRead;
  private final Map<String, Boolean> reported = new HashMap<>();
  private final Map<String, Long> downSince = new HashMap<>();
  private boolean started;

  public BgpSpeaker(
      BgpEngine engine, PasswordSource passwords, SessionListener listener, Ticker ticker) {
    this(engine, passwords, listener, ticker, LOOK);
  }

  /// @param period how often it looks at the sessions
  BgpSpeaker(
      BgpEngine engine,
      PasswordSource passwords,
      SessionListener listener,
      Ticker ticker,
      Duration period) {
    this.period = period;
    this.engine = engine;
    this.passwords = passwords;
    this.listener = listener;
    this.ticker = ticker;
    // An engine that is being asked ends by itself soon: a half-written file is of no use.
    this.loop = SupervisedLoop.of(LOOP).platform().stopBy(changes::release).build(this::step);
  }

  /// Says what is to be announced from now on. Never blocks. To be called by one thread.
  public void show(BgpConfiguration configuration) {
    if (configuration.equals(wanted)) {
      return;
    }
    wanted = configuration;
    if (!started) {
      started = true;
      loop.start();
    }
    changes.release();
  }

  /// How each session stands, by the router's name.
  public SortedMap<String, BgpSessionState> states() {
    return states;
  }

  private void step() throws InterruptedException {
    boolean _ = changes.tryAcquire(period.toMillis(), TimeUnit.MILLISECONDS);
    int _ = changes.drainPermits();
    look();
  }

  /// One round.
  private void look() {
    BgpConfiguration want = wanted;
    if (want == null) {
      return;
    }
    Map<String, String> withoutPassword = new TreeMap<>();
    BgpConfiguration signed = signed(want, withoutPassword);
    try {
      if (!signed.equals(applied)) {
        engine.apply(signed);
        applied = signed;
      }
      observe(want, engine.states(), withoutPassword, "");
    } catch (BgpEngineException e) {
      applied = null;
      observe(want, List.of(), withoutPassword, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /// A session whose password is not to be had is left out: without it the router would not answer.
  private BgpConfiguration signed(BgpConfiguration want, Map<String, String> without) {
    long now = ticker.nanos();
    if (now - passwordsRead >= READ_AGAIN.toNanos()) {
      passwordsRead = now;
      known.replaceAll(this::readAgain);
    }
    List<BgpSession> sessions = new ArrayList<>();
    for (BgpSession session : want.sessions()) {
      String secret = session.peer().passwordSecret();
      if (secret.isEmpty()) {
        sessions.add(session);
        continue;
      }
      Optional<BgpPassword> password = known.get(secret);
      if (password == null || password.isEmpty()) {
        password = read(secret);
        known.put(secret, password);
      }
      if (password.isPresent()) {
        sessions.add(session.signed(password.get()));
      } else {
        without.put(session.name(), "no password in Secret " + secret);
      }
    }
    return new BgpConfiguration(want.routerId(), sessions);
  }

  private Optional<BgpPassword> read(String secret) {
    try {
      return passwords.find(secret);
    } catch (RuntimeException e) {
      // Told as the reason why the session is down, and tried again.
      return Optional.empty();
    }
  }

  /// A server that is away takes no password from a session that works.
  private Optional<BgpPassword> readAgain(String secret, Optional<BgpPassword> before) {
    Optional<BgpPassword> now = read(secret);
    return now.isPresent() ? now : before;
  }

  private void observe(
      BgpConfiguration want,
      List<BgpSessionState> seen,
      Map<String, String> withoutPassword,
      String failure) {
    SortedMap<String, BgpSessionState> all = new TreeMap<>();
    for (BgpSession session : want.sessions()) {
      String name = session.name();
      String why = withoutPassword.getOrDefault(name, failure);
      all.put(
          name,
          seen.stream()
              .filter(state -> state.peer().equals(name))
              .findFirst()
              .orElseGet(() -> BgpSessionState.none(name, why)));
    }
    states = all;
    reported.keySet().retainAll(all.keySet());
    downSince.keySet().retainAll(all.keySet());
    want.sessions().forEach(session -> report(session, all.get(session.name())));
  }

  private void report(BgpSession session, @Nullable BgpSessionState state) {
    if (state == null) {
      return;
    }
    Boolean before = reported.get(session.name());
    if (state.isUp()) {
      downSince.remove(session.name());
      if (!Boolean.TRUE.equals(before)) {
        reported.put(session.name(), true);
        listener.up(session);
      }
      return;
    }
    long now = ticker.nanos();
    long since = downSince.computeIfAbsent(session.name(), _ -> now);
    boolean late = now - since >= PATIENCE.toNanos();
    if (Boolean.TRUE.equals(before) || (before == null && late)) {
      reported.put(session.name(), false);
      listener.down(session, state);
    }
  }

  /// Withdraws everything, in order. Idempotent.
  @Override
  public void close() {
    loop.close();
    engine.close();
  }

  /// Ends and lets the engine go on, as a process that is killed does.
  public void abandon() {
    loop.close();
  }
}
