package io.fairlead.server.auth;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.TokenAuthenticator.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tries all that a request brought: the certificate first, then the token. One good credential is
/// enough; if there are only wrong ones the answer is 401, never anonymous.
///
/// Safe for all threads.
public final class RequestAuthenticator implements Authenticator {
  static final String AUTHENTICATED = "system:authenticated";

  private static final Logger log = LoggerFactory.getLogger(RequestAuthenticator.class);
  private static final Duration LOG_PAUSE = Duration.ofSeconds(1);

  private final CertificateAuthenticator certificates;
  private final List<TokenAuthenticator> tokens;
  private final boolean anonymous;
  private final InstantSource clock;
  private final AtomicLong nextLog = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong silent = new AtomicLong();

  /// @param tokens the sorts of token, the cheapest to rule out first
  /// @param anonymous whether a request without credentials is served at all
  public RequestAuthenticator(
      CertificateAuthenticator certificates,
      List<TokenAuthenticator> tokens,
      boolean anonymous,
      InstantSource clock) {
    this.certificates = certificates;
    this.tokens = List.copyOf(tokens);
    this.anonymous = anonymous;
    this.clock = clock;
  }

  @Override
  public UserInfo authenticate(Credentials credentials) {
    List<String> problems = new ArrayList<>(2);
    if (credentials.certificate() != null) {
      UserInfo user =
          certificates.authenticate(
              credentials.certificate(), credentials.intermediates(), problems);
      if (user != null) {
        return authenticated(user);
      }
    }
    if (credentials.bearerToken() != null) {
      switch (tryToken(credentials.bearerToken(), List.of())) {
        case Outcome.Known known -> {
          return authenticated(known.user());
        }
        case Outcome.Wrong wrong -> problems.add("token: " + wrong.why());
        case Outcome.NotMine() -> problems.add("token: unknown");
      }
    }
    if (problems.isEmpty() && anonymous) {
      return UserInfo.ANONYMOUS;
    }
    logRefusal(problems);
    throw ApiException.unauthorized();
  }

  @Override
  public Reviewed review(String token, List<String> audiences) {
    if (tryToken(token, audiences) instanceof Outcome.Known(var user, var matching)) {
      return new Reviewed(authenticated(user), matching);
    }
    throw ApiException.unauthorized();
  }

  private Outcome tryToken(String token, List<String> audiences) {
    for (TokenAuthenticator sort : tokens) {
      Outcome outcome = sort.authenticate(token, audiences);
      if (!(outcome instanceof Outcome.NotMine)) {
        return outcome;
      }
    }
    return new Outcome.NotMine();
  }

  private static UserInfo authenticated(UserInfo user) {
    if (user.isIn(AUTHENTICATED)) {
      return user;
    }
    List<String> groups = new ArrayList<>(user.groups());
    groups.add(AUTHENTICATED);
    return new UserInfo(user.name(), user.uid(), groups, user.extra());
  }

  /// At most one line a second: a client that guesses tokens shall not fill the disk.
  private void logRefusal(List<String> problems) {
    Instant now = clock.instant();
    long due = nextLog.get();
    if (now.toEpochMilli() < due
        || !nextLog.compareAndSet(due, now.plus(LOG_PAUSE).toEpochMilli())) {
      silent.incrementAndGet();
      return;
    }
    log.atWarn()
        .addKeyValue("why", problems.isEmpty() ? "no credential" : String.join("; ", problems))
        .addKeyValue("alsoSince", silent.getAndSet(0))
        .log("request refused with 401");
  }
}
