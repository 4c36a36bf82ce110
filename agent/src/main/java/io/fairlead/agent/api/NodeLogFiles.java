package io.fairlead.agent.api;

import io.fairlead.api.status.ApiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Serves `/logs/`: the files under `/var/log` of the node, and lists of its directories. A link
/// that leads out of there is not followed, since pods may have written it.
final class NodeLogFiles {
  private static final int MOST_NAMES = 10_000;

  private final Path root;

  NodeLogFiles(Path root) {
    this.root = root;
  }

  /// @param path `logs` and the names below it, as they came
  void serve(NodeCall call, List<String> path) throws IOException {
    Path file = find(path.subList(1, path.size()));
    if (!Files.isDirectory(file)) {
      try (InputStream in = Files.newInputStream(file);
          OutputStream out = call.stream("text/plain; charset=utf-8")) {
        in.transferTo(out);
      }
    } else if (!call.endsWithSlash()) {
      call.redirect(path.getLast() + "/");
    } else {
      call.send(200, "text/html; charset=utf-8", list(file).getBytes(StandardCharsets.UTF_8));
    }
  }

  private Path find(List<String> names) throws IOException {
    Path file = root;
    try {
      for (String name : names) {
        String decoded = URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
        if (decoded.contains("/") || decoded.equals("..")) {
          throw ApiException.noSuchResource();
        }
        file = file.resolve(decoded);
      }
    } catch (InvalidPathException e) {
      throw ApiException.noSuchResource();
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest("the path holds a broken percent escape");
    }
    if (!Files.exists(file)) {
      throw ApiException.noSuchResource();
    }
    Path real = file.toRealPath();
    boolean regular = Files.isDirectory(real) || Files.isRegularFile(real);
    if (!regular || !real.startsWith(root.toRealPath())) {
      throw ApiException.noSuchResource();
    }
    return real;
  }

  private static String list(Path directory) throws IOException {
    StringBuilder page = new StringBuilder("<!doctype html>\n<pre>\n");
    try (Stream<Path> files = Files.list(directory)) {
      files
          .map(file -> file.getFileName() + (Files.isDirectory(file) ? "/" : ""))
          .sorted()
          .limit(MOST_NAMES)
          .forEach(name -> page.append(link(name)));
    }
    return page.append("</pre>\n").toString();
  }

  private static String link(String name) {
    String target =
        URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "/");
    String text =
        name.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&#34;")
            .replace("'", "&#39;");
    return "<a href=\"" + (target.contains(":") ? "./" : "") + target + "\">" + text + "</a>\n";
  }
}
