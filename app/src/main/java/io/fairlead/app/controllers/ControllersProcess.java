package io.fairlead.app.controllers;

import io.fairlead.api.status.ApiException;
import io.fairlead.app.BindErrors;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.review.ExpiringCache;
import io.fairlead.app.review.PublishedClientCa;
import io.fairlead.app.review.SubjectAccessReviewAuthorizer;
import io.fairlead.app.review.TokenReviewAuthenticator;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.client.transport.ServiceAccountToken;
import io.fairlead.controller.ControllerAccounts;
import io.fairlead.controller.Controllers;
import io.fairlead.server.auth.CertificateAuthenticator;
import io.fairlead.server.auth.RequestAuthenticator;
import io.fairlead.server.component.ChangesPage;
import io.fairlead.server.component.ComponentPage;
import io.fairlead.server.component.ComponentServer;
import io.fairlead.server.pki.ClientCertificateVerifier;
import io.fairlead.server.pki.ComponentTls;
import io.fairlead.server.pki.PkiException;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/// Controllers that work on an API somewhere else, with a port of their own.
public final class ControllersProcess implements AutoCloseable {
  /// What chooses another port.
  public static final String PORT_FLAG = "fairlead controllers --secure-port";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration REVIEW_TTL = Duration.ofSeconds(10);

  private static final String USER_AGENT = "fairlead-controllers";

  private final Client client;
  private final HttpTransport withoutIdentity;
  private final Controllers controllers;
  private final ComponentServer server;

  private ControllersProcess(
      Client client,
      HttpTransport withoutIdentity,
      Controllers controllers,
      ComponentServer server) {
    this.client = client;
    this.withoutIdentity = withoutIdentity;
    this.controllers = controllers;
    this.server = server;
  }

  /// Waits a little for the API server, then starts.
  ///
  /// @throws Problem when the API cannot be reached or refuses us, or the port cannot be listened
  ///   on
  public static ControllersProcess start(ControllersOptions options) {
    HttpTransport transport = new HttpTransport(options.connection(), USER_AGENT);
    Client client = new Client(transport);
    HttpTransport withoutIdentity = new HttpTransport(anonymous(options), USER_AGENT);
    try {
      awaitServer(client, options);
      Controllers controllers =
          Controllers.start(
              client, accounts(transport, withoutIdentity, options), options.controllers());
      try {
        return new ControllersProcess(
            client, withoutIdentity, controllers, serve(client, controllers, options));
      } catch (RuntimeException e) {
        controllers.close();
        throw e;
      }
    } catch (RuntimeException e) {
      withoutIdentity.close();
      client.close();
      throw e;
    }
  }

  /// The same server without a certificate of the client: a token counts only where there is none.
  private static ClientConfig anonymous(ControllersOptions options) {
    ClientConfig own = options.connection();
    return new ClientConfig(
        own.server(),
        own.trust(),
        own.tlsServerName(),
        new ClientIdentity.Anonymous(),
        own.namespace());
  }

  private static ControllerAccounts accounts(
      HttpTransport transport, HttpTransport withoutIdentity, ControllersOptions options) {
    Client client = new Client(transport);
    if (!options.ownAccounts()) {
      return ControllerAccounts.all(client);
    }
    var ticker = options.controllers().pacing().ticker();
    return ControllerAccounts.each(
        client,
        account ->
            new Client(
                withoutIdentity.bearing(
                    new ServiceAccountToken(client, account, ticker), transport)));
  }

  /// Where it listens.
  public int port() {
    return server.port();
  }

  public Controllers controllers() {
    return controllers;
  }

  @Override
  public void close() {
    server.close();
    controllers.close();
    withoutIdentity.close();
    client.close();
  }

  private static void awaitServer(Client client, ControllersOptions options) {
    String url = options.connection().server().toString();
    var pacing = options.controllers().pacing();
    long end = pacing.ticker().nanos() + PATIENCE.toNanos();
    while (true) {
      try {
        client.getPath("/api");
        return;
      } catch (ApiException e) {
        int code = e.status().code();
        if (code == 401 || code == 403) {
          throw new FairleadException(ErrorCode.FL216, e, url, e.status().message());
        }
        if (pacing.ticker().nanos() - end > 0) {
          throw new FairleadException(ErrorCode.FL215, e, url, e.status().message());
        }
      } catch (ConnectionException e) {
        if (pacing.ticker().nanos() - end > 0) {
          throw new FairleadException(ErrorCode.FL215, e, url, String.valueOf(e.getMessage()));
        }
      }
      try {
        pacing.pacer().pause(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FairleadException(ErrorCode.FL215, e, url, "interrupted");
      }
    }
  }

  private static ComponentServer serve(
      Client client, Controllers controllers, ControllersOptions options) {
    ControllersOptions.SecureServing serving = options.serving();
    InstantSource clock = options.controllers().clock();
    var ticker = options.controllers().pacing().ticker();
    try {
      List<X509Certificate> authorities = clientAuthorities(client, serving);
      return ComponentServer.start(
          serving.address(),
          serving.port(),
          tls(serving, authorities, clock),
          new RequestAuthenticator(
              new CertificateAuthenticator(new ClientCertificateVerifier(authorities), clock),
              List.of(
                  new TokenReviewAuthenticator(client, new ExpiringCache<>(REVIEW_TTL, ticker))),
              true,
              clock),
          new SubjectAccessReviewAuthorizer(client, new ExpiringCache<>(REVIEW_TTL, ticker)),
          pages(controllers));
    } catch (PkiException e) {
      throw new FairleadException(
          ErrorCode.FL210, e, "controllers", String.valueOf(e.getMessage()), "stderr");
    } catch (IOException e) {
      throw BindErrors.problem(serving.address(), serving.port(), PORT_FLAG, e);
    }
  }

  private static Map<String, ComponentPage> pages(Controllers controllers) {
    return Map.of(
        "/healthz",
        ControllerPages.health(),
        "/livez",
        ControllerPages.health(),
        "/readyz",
        ControllerPages.health(),
        "/metrics",
        ControllerPages.metrics(controllers),
        ControllerPages.REASONS,
        ControllerPages.reasons(controllers),
        ChangesPage.PATH,
        ControllerPages.changes(controllers));
  }

  private static SSLContext tls(
      ControllersOptions.SecureServing serving,
      List<X509Certificate> authorities,
      InstantSource clock) {
    return serving.certificate().isPresent() && serving.key().isPresent()
        ? ComponentTls.ofFiles(serving.certificate().get(), serving.key().get(), authorities, clock)
        : ComponentTls.selfSigned(List.of("localhost", "127.0.0.1", "::1"), authorities, clock);
  }

  /// The CA given, else the one API servers publish for servers beside them; none when there is
  /// neither, and then tokens are the only credentials.
  private static List<X509Certificate> clientAuthorities(
      Client client, ControllersOptions.SecureServing serving) {
    if (serving.clientAuthority().isPresent()) {
      return ComponentTls.authorities(serving.clientAuthority().get());
    }
    return PublishedClientCa.of(client);
  }
}
