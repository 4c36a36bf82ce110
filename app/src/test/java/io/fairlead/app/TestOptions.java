package io.fairlead.app;

import io.fairlead.server.ApiServerConfig;
import java.nio.file.Path;
import java.util.Optional;

/// Options for tests: any free port on loopback.
public final class TestOptions {
  private TestOptions() {}

  public static Options on(Path directory) {
    ApiServerConfig standard = ApiServerConfig.defaults(directory.resolve("pki"));
    ApiServerConfig server =
        new ApiServerConfig(
            standard.bindAddress(),
            0,
            standard.pki(),
            standard.services(),
            standard.tokenAuthFile(),
            standard.clientCaFile(),
            standard.tlsCertFile(),
            standard.tlsPrivateKeyFile(),
            standard.tlsSans(),
            standard.authorizationMode(),
            standard.anonymousAuth(),
            standard.serviceAccountIssuer(),
            standard.clusterDomain(),
            standard.advertiseAddress(),
            standard.emulatedMinor(),
            standard.auditLog(),
            standard.limits());
    return new Options(directory, server, Optional.empty(), true);
  }
}
