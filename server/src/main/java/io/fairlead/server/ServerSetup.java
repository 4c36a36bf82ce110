package io.fairlead.server;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.server.auth.AlwaysAllow;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.CertificateAuthenticator;
import io.fairlead.server.auth.OpenIdDocuments;
import io.fairlead.server.auth.RequestAuthenticator;
import io.fairlead.server.auth.ServiceAccountTokens;
import io.fairlead.server.auth.TokenAuthenticator;
import io.fairlead.server.auth.TokenFileAuthenticator;
import io.fairlead.server.auth.rbac.NodeAuthorizer;
import io.fairlead.server.auth.rbac.RbacAuthorizer;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.discovery.DiscoveryDocuments;
import io.fairlead.server.openapi.OpenApi;
import io.fairlead.server.paths.DiscoveryPaths;
import io.fairlead.server.paths.DocumentPath;
import io.fairlead.server.paths.OpenApiPaths;
import io.fairlead.server.paths.PathHandler;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.BuiltInResources;
import io.fairlead.server.resources.service.ServiceNetwork;
import io.fairlead.server.stream.NodeTls;
import io.fairlead.work.Tasks;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;

/// Turns a configuration into the context of a server: keys, users, permissions, documents.
final class ServerSetup {
  private ServerSetup() {}

  static ApiServer.ServerContext context(ApiServerConfig config) {
    return context(config, InstantSource.system());
  }

  static ApiServer.ServerContext context(ApiServerConfig config, InstantSource clock) {
    // Keys and descriptions have nothing to do with each other, and each takes a while.
    FutureTask<Described> described = new FutureTask<>(() -> Described.of(config, clock));
    Tasks.startPlatform("describe-resources", described::run);
    Pki pki = Pki.open(config.pki(), PkiOptions.of(config, clock));
    SSLContext tls = pki.serverContext();
    Described done = await(described);
    List<PathHandler> paths = new ArrayList<>(done.paths());
    paths.addAll(openId(config, pki));
    return new ApiServer.ServerContext(
            done.resources(), caches -> security(config, pki, caches, clock), tls, paths, clock)
        .with(
            new NodeTls(pki.nodeClient(), pki.authority(), pki::servingCertificate),
            pki.clientTrustPem(),
            pki.signer(),
            Optional.of(pki.frontProxy()));
  }

  /// What is served and the documents about it.
  private record Described(List<Resource> resources, List<PathHandler> paths) {
    static Described of(ApiServerConfig config, InstantSource clock) {
      List<Resource> resources =
          BuiltInResources.all(network(config.services()), config.eventTtl());
      return new Described(resources, documents(config, resources, clock));
    }
  }

  static ServiceNetwork network(ApiServerConfig.ServiceNetworkOptions services) {
    return ServiceNetwork.parse(
        services.cidrs(),
        services.nodePortRange(),
        services.externalIps(),
        services.clusterAddresses());
  }

  private static Described await(FutureTask<Described> described) {
    try {
      return described.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the server was set up", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("the resources could not be set up", e.getCause());
    }
  }

  /// Discovery and OpenAPI of these resources.
  static List<PathHandler> documents(
      ApiServerConfig config, List<Resource> resources, InstantSource clock) {
    String address = config.advertiseAddress() + ":" + config.securePort();
    String version = "v1." + config.emulatedMinor() + ".0";
    return List.of(
        new DiscoveryPaths(new DiscoveryDocuments(resources, address)),
        new OpenApiPaths(new OpenApi(Schemas.kubernetes(), resources, version), clock));
  }

  private static List<PathHandler> openId(ApiServerConfig config, Pki pki) {
    String keysUri =
        "https://"
            + config.advertiseAddress()
            + ":"
            + config.securePort()
            + OpenIdDocuments.KEYS_PATH;
    return List.of(
        new DocumentPath(
            OpenIdDocuments.CONFIGURATION_PATH,
            "application/json",
            Json.bytes(
                OpenIdDocuments.configuration(
                    config.serviceAccountIssuer(), keysUri, pki.tokenKeys().publicKeys()))),
        new DocumentPath(
            OpenIdDocuments.KEYS_PATH,
            OpenIdDocuments.KEYS_MEDIA_TYPE,
            Json.bytes(OpenIdDocuments.keys(pki.tokenKeys().publicKeys()))));
  }

  private static ApiServerAuth security(
      ApiServerConfig config, Pki pki, Caches caches, InstantSource clock) {
    ServiceAccountTokens accounts =
        new ServiceAccountTokens(
            pki.tokenKeys(),
            config.serviceAccountIssuer(),
            caches.reader(),
            clock,
            new SecureRandom());
    List<TokenAuthenticator> tokens = new ArrayList<>();
    Optional<TokenFileAuthenticator> file =
        config.tokenAuthFile().map(TokenFileAuthenticator::load);
    file.ifPresent(tokens::add);
    tokens.add(accounts);
    Runnable readTokens =
        () -> file.ifPresent(known -> config.tokenAuthFile().ifPresent(known::reload));
    return new ApiServerAuth(
        new RequestAuthenticator(
            new CertificateAuthenticator(pki::clientTrust, clock),
            tokens,
            config.anonymousAuth(),
            clock),
        authorizer(config.authorizationMode(), caches),
        accounts,
        () -> both(readTokens, pki::reload));
  }

  /// Does both, also when the first fails.
  private static void both(Runnable one, Runnable two) {
    try {
      one.run();
    } catch (RuntimeException e) {
      try {
        two.run();
      } catch (RuntimeException further) {
        e.addSuppressed(further);
      }
      throw e;
    }
    two.run();
  }

  private static Authorizer authorizer(String mode, Caches caches) {
    // Both `RBAC` and kubeadm's `Node,RBAC` include the rules for nodes.
    return switch (mode) {
      case "RBAC", "Node,RBAC" ->
          new NodeAuthorizer(new RbacAuthorizer(new CachedRbac(caches)), caches.reader());
      case "AlwaysAllow" -> new AlwaysAllow();
      default ->
          throw new IllegalArgumentException(
              "unknown authorization mode \"" + mode + "\"; choose RBAC or AlwaysAllow");
    };
  }
}
