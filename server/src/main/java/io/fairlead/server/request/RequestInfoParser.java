package io.fairlead.server.request;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.QueryParameters;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads a [RequestInfo] from a method and a path.
///
/// How it works: `/api/v1/…` and `/apis/{group}/{version}/…` lead to resources. `namespaces/{n}`
/// followed by something else than `status` or `finalize` names the namespace a resource lies in;
/// otherwise the namespace itself is meant. The old prefix `watch` before all that turns a list
/// into a watch.
public final class RequestInfoParser {
  private RequestInfoParser() {}

  /// Parses; every path has a meaning, at worst "no resource".
  ///
  /// @param path as it came, percent escapes included
  public static RequestInfo parse(String method, String path, QueryParameters query) {
    List<String> parts = segments(path);
    if (parts.size() < 3 || !(parts.get(0).equals("api") || parts.get(0).equals("apis"))) {
      return RequestInfo.ofPath(method, path);
    }
    boolean core = parts.get(0).equals("api");
    if (!core && parts.size() < 4) {
      return RequestInfo.ofPath(method, path);
    }
    String group = core ? "" : parts.get(1);
    String version = parts.get(core ? 1 : 2);
    List<String> tail = new ArrayList<>(parts.subList(core ? 2 : 3, parts.size()));
    boolean legacyWatch = tail.size() > 1 && tail.getFirst().equals("watch");
    if (legacyWatch) {
      tail.removeFirst();
    }
    return resource(method, path, query, group, version, tail, legacyWatch);
  }

  private static RequestInfo resource(
      String method,
      String path,
      QueryParameters query,
      String group,
      String version,
      List<String> tail,
      boolean legacyWatch) {
    String namespace = "";
    boolean namespaced = false;
    if (tail.getFirst().equals("namespaces") && tail.size() > 1) {
      namespace = tail.get(1);
      boolean itself =
          tail.size() == 2 || tail.get(2).equals("status") || tail.get(2).equals("finalize");
      if (!itself) {
        namespaced = true;
        tail = tail.subList(2, tail.size());
      }
    }
    String resource = tail.getFirst();
    String name = tail.size() > 1 ? tail.get(1) : "";
    String subresource = tail.size() > 2 ? tail.get(2) : "";
    String rest = tail.size() > 3 ? String.join("/", tail.subList(3, tail.size())) : "";
    return new RequestInfo(
        true,
        verb(method, name, query, legacyWatch),
        path,
        group,
        version,
        namespace,
        resource,
        name,
        subresource,
        rest,
        namespaced,
        legacyWatch);
  }

  private static String verb(
      String method, String name, QueryParameters query, boolean legacyWatch) {
    return switch (method) {
      case "GET", "HEAD" -> {
        if (legacyWatch) {
          yield "watch";
        }
        if (!name.isEmpty()) {
          yield "get";
        }
        yield query.isOn("watch") ? "watch" : "list";
      }
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
      default -> method.toLowerCase(java.util.Locale.ROOT);
    };
  }

  /// The path's segments, each decoded on its own, so that an escaped slash stays inside.
  private static List<String> segments(String path) {
    List<String> parts = new ArrayList<>();
    for (String raw : path.split("/")) {
      if (!raw.isEmpty()) {
        parts.add(raw.indexOf('%') < 0 ? raw : decode(raw));
      }
    }
    return parts;
  }

  private static String decode(String segment) {
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest("the path holds a broken percent escape: " + segment);
    }
  }
}
