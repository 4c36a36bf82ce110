package io.fairlead.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Certificates that one authority has signed, made by openssl: for a server at 127.0.0.1 and for a
/// client.
record Certificates(Path authority, Path server, Path serverKey, Path client, Path clientKey) {

  static Certificates make(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path authority = directory.resolve("ca.crt");
    Path authorityKey = directory.resolve("ca.key");
    request("ca", authority, authorityKey, "basicConstraints=critical,CA:TRUE");
    List<Path> made = new ArrayList<>();
    for (String name : List.of("server", "client")) {
      Path certificate = directory.resolve(name + ".crt");
      Path key = directory.resolve(name + ".key");
      request(
          name,
          certificate,
          key,
          "subjectAltName=IP:127.0.0.1",
          "-CA",
          authority.toString(),
          "-CAkey",
          authorityKey.toString());
      made.add(certificate);
      made.add(key);
    }
    return new Certificates(authority, made.get(0), made.get(1), made.get(2), made.get(3));
  }

  private static void request(
      String name, Path certificate, Path key, String extension, String... more)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"));
    command.addAll(List.of("ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"));
    command.addAll(List.of("-subj", "/CN=" + name, "-addext", extension));
    command.addAll(List.of("-out", certificate.toString(), "-keyout", key.toString()));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
