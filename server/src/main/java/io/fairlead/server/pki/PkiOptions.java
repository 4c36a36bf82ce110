package io.fairlead.server.pki;

import io.fairlead.server.ApiServerConfig;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.regex.Pattern;

/// What certificates shall say, and which are brought from elsewhere.
///
/// @param servingNames DNS names and addresses of the serving certificate
/// @param clientCaFile CA bundle for client certificates instead of the cluster's own
/// @param tlsCertFile serving certificate, with its chain, instead of one of the cluster's own
/// @param tlsPrivateKeyFile its key
/// @param keyFiles token keys and the identity to nodes that are brought from elsewhere
/// @param clock tells when certificates end
public record PkiOptions(
    List<String> servingNames,
    Optional<Path> clientCaFile,
    Optional<Path> tlsCertFile,
    Optional<Path> tlsPrivateKeyFile,
    ApiServerConfig.KeyFiles keyFiles,
    InstantSource clock) {
  private static final Pattern DNS_NAME =
      Pattern.compile("(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?");

  /// With keys of the cluster's own.
  public PkiOptions(
      List<String> servingNames,
      Optional<Path> clientCaFile,
      Optional<Path> tlsCertFile,
      Optional<Path> tlsPrivateKeyFile,
      InstantSource clock) {
    this(
        servingNames,
        clientCaFile,
        tlsCertFile,
        tlsPrivateKeyFile,
        ApiServerConfig.KeyFiles.NONE,
        clock);
  }

  public PkiOptions {
    servingNames = List.copyOf(servingNames);
    if (tlsCertFile.isPresent() != tlsPrivateKeyFile.isPresent()) {
      throw new PkiException(
          "cannot use a serving certificate of your own",
          tlsCertFile.isPresent()
              ? "--tls-cert-file is given without --tls-private-key-file"
              : "--tls-private-key-file is given without --tls-cert-file",
          "give both, or neither for one made by the cluster's CA");
    }
  }

  /// What that configuration asks for.
  public static PkiOptions of(ApiServerConfig config, InstantSource clock) {
    SequencedSet<String> names = new LinkedHashSet<>();
    names.add("kubernetes");
    names.add("kubernetes.default");
    names.add("kubernetes.default.svc");
    names.add("kubernetes.default.svc." + config.clusterDomain());
    names.add("localhost");
    names.add(SubjectAlternativeNames.hostName());
    names.add(SubjectAlternativeNames.canonical("127.0.0.1"));
    names.add(SubjectAlternativeNames.canonical("::1"));
    if (SubjectAlternativeNames.isWildcard(config.bindAddress())) {
      names.addAll(SubjectAlternativeNames.ofThisMachine());
    } else {
      names.add(SubjectAlternativeNames.canonical(config.bindAddress()));
    }
    names.add(SubjectAlternativeNames.canonical(config.advertiseAddress()));
    config
        .services()
        .cidrs()
        .forEach(cidr -> names.add(SubjectAlternativeNames.firstServiceAddress(cidr)));
    config.tlsSans().forEach(name -> names.add(checkedName(name)));
    return new PkiOptions(
        List.copyOf(names),
        config.clientCaFile(),
        config.tlsCertFile(),
        config.tlsPrivateKeyFile(),
        config.keyFiles(),
        clock);
  }

  /// Whether a certificate can name that: a DNS name or an address.
  public static boolean isName(String name) {
    return SubjectAlternativeNames.isLiteral(name) || DNS_NAME.matcher(name).matches();
  }

  private static String checkedName(String name) {
    if (!isName(name)) {
      throw new PkiException(
          "cannot put \"" + name + "\" into the serving certificate",
          "it is neither a DNS name nor an address",
          "correct --tls-san, for example --tls-san=api.example.com,192.0.2.7");
    }
    return SubjectAlternativeNames.canonical(name);
  }
}
