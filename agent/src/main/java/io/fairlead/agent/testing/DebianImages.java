package io.fairlead.agent.testing;

import io.fairlead.agent.image.OciImage;
import io.fairlead.agent.image.TarWriter;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Images made of programs that are installed on this machine, so that tests need no registry.
public final class DebianImages {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String PATH =
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  private static final String USERS =
      """
      root:x:0:0:root:/root:/bin/sh
      nobody:x:65534:65534:nobody:/:/bin/false
      """;
  private static final String GROUPS =
      """
      root:x:0:
      nogroup:x:65534:
      nobody:x:65533:
      """;
  private static final String NGINX =
      """
      error_log stderr notice;
      events {}
      http {
        default_type text/html;
        access_log /dev/stdout;
        server {
          listen 80;
          root /usr/share/nginx/html;
        }
      }
      """;
  private static final String PAGE =
      "<!DOCTYPE html><title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>\n";

  private DebianImages() {}

  /// A shell and the usual small programs; runs `sh`.
  public static OciImage busybox() {
    TarWriter tar = base();
    programs(tar, "busybox");
    for (String applet : output("busybox", "--list").lines().toList()) {
      if (!applet.equals("busybox")) {
        tar.link("bin/" + applet, "../usr/bin/busybox");
      }
    }
    return OciImage.of(tar.bytes(), List.of(), List.of("sh"), List.of(PATH));
  }

  /// A web server on port 80.
  public static OciImage nginx() {
    TarWriter tar = base();
    programs(tar, "nginx");
    tar.directory("etc/nginx").file("etc/nginx/nginx.conf", 0644, bytes(NGINX));
    tar.directory("usr/share").directory("usr/share/nginx").directory("usr/share/nginx/html");
    tar.file("usr/share/nginx/html/index.html", 0644, bytes(PAGE));
    tar.directory("var").directory("var/lib").directory("var/lib/nginx");
    tar.directory("var/log").directory("var/log/nginx");
    return OciImage.of(
        tar.bytes(), List.of(), List.of("nginx", "-g", "daemon off;"), List.of(PATH));
  }

  private static TarWriter base() {
    TarWriter tar = new TarWriter();
    for (String directory : List.of("bin", "dev", "etc", "proc", "root", "run", "sys")) {
      tar.directory(directory);
    }
    tar.directory("tmp", 01777).directory("usr").directory("usr/bin").directory("usr/sbin");
    tar.file("etc/passwd", 0644, bytes(USERS)).file("etc/group", 0644, bytes(GROUPS));
    return tar;
  }

  /// Programs at the places they have on this machine, with the libraries they load.
  private static void programs(TarWriter tar, String... names) {
    Set<String> libraries = new TreeSet<>();
    for (String name : names) {
      Path program =
          Path.of(
              CommandRunner.find(name)
                  .orElseThrow(() -> new IllegalStateException(name + " is not installed")));
      tar.file("usr/bin/" + name, 0755, content(program));
      for (String line : output("ldd", program.toString()).lines().toList()) {
        line.strip().transform(text -> List.of(text.split("\\s+"))).stream()
            .filter(word -> word.startsWith("/"))
            .forEach(libraries::add);
      }
    }
    Set<String> made = new TreeSet<>();
    for (String library : libraries) {
      for (Path parent = Path.of(library).getParent();
          parent != null && parent.getParent() != null;
          parent = parent.getParent()) {
        made.add(parent.toString().substring(1));
      }
    }
    made.forEach(tar::directory);
    libraries.forEach(library -> tar.file(library.substring(1), 0755, content(Path.of(library))));
  }

  private static String output(String... command) {
    return CommandRunner.here(LIMIT).run("", List.of(command)).output();
  }

  private static byte[] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
