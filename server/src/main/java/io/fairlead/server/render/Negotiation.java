package io.fairlead.server.render;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Details;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.render.Format.Encoding;
import io.fairlead.server.render.Format.Shape;
import io.fairlead.server.request.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Agrees with the client on a [Format] (spec 1.7): the Accept clauses are walked by quality, then
/// in order, and the first one that can be served wins.
public final class Negotiation {
  private static final String OFFERED =
      "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  private static final List<String> BROWSERS = List.of("curl/", "Wget/", "Mozilla/");

  private Negotiation() {}

  /// What is being asked for, which decides the views that make sense.
  public enum Subject {
    ITEM,
    LIST,
    WATCH
  }

  /// The format of an object, list or stream.
  ///
  /// @param protobuf whether this server can write the kind as protobuf
  /// @throws ApiException 406 when nothing fits
  public static Format choose(Exchange exchange, Subject subject, boolean protobuf) {
    List<MediaType> clauses = MediaType.accepted(exchange.headers("Accept"));
    boolean known = false;
    for (MediaType clause : clauses) {
      Encoding encoding = encoding(clause.type());
      if (encoding == null) {
        continue;
      }
      known = true;
      if (encoding == Encoding.PROTOBUF && !protobuf) {
        continue;
      }
      if (encoding == Encoding.YAML && subject == Subject.WATCH) {
        continue;
      }
      Format format = shaped(clause, encoding, subject, pretty(exchange));
      if (format != null) {
        return format;
      }
    }
    throw known ? notAcceptable() : unknownTypes();
  }

  /// The format of a Status, for a client whose wishes may be impossible: JSON then.
  public static Format forErrors(Exchange exchange) {
    for (MediaType clause : MediaType.accepted(exchange.headers("Accept"))) {
      Encoding encoding = encoding(clause.type());
      if (encoding != null && encoding != Encoding.PROTOBUF) {
        return new Format(encoding, Shape.OBJECT, "v1", pretty(exchange));
      }
    }
    return new Format(Encoding.JSON, Shape.OBJECT, "v1", pretty(exchange));
  }

  private static @Nullable Encoding encoding(String type) {
    return switch (type) {
      case "application/json", "*/*", "application/*" -> Encoding.JSON;
      case "application/yaml" -> Encoding.YAML;
      case "application/vnd.kubernetes.protobuf" -> Encoding.PROTOBUF;
      default -> null;
    };
  }

  private static @Nullable Format shaped(
      MediaType clause, Encoding encoding, Subject subject, boolean pretty) {
    String as = clause.parameter("as");
    if (as.isEmpty()) {
      return new Format(encoding, Shape.OBJECT, "v1", pretty);
    }
    String version = clause.parameter("v");
    boolean meta =
        clause.parameter("g").equals("meta.k8s.io")
            && (version.equals("v1") || version.equals("v1beta1"));
    if (!meta || encoding == Encoding.PROTOBUF) {
      return null;
    }
    return switch (as) {
      case "Table" -> new Format(encoding, Shape.TABLE, version, pretty);
      case "PartialObjectMetadata" -> {
        if (subject == Subject.LIST) {
          throw notAcceptable(
              "you requested PartialObjectMetadata, but the requested object is a list");
        }
        yield new Format(encoding, Shape.PARTIAL, version, pretty);
      }
      case "PartialObjectMetadataList" -> {
        if (subject != Subject.LIST) {
          throw notAcceptable(
              "you requested PartialObjectMetadataList, but the requested object is not a list");
        }
        yield new Format(encoding, Shape.PARTIAL_LIST, version, pretty);
      }
      default -> null;
    };
  }

  private static boolean pretty(Exchange exchange) {
    if (exchange.query().has("pretty")) {
      return exchange.query().isOn("pretty");
    }
    String agent = exchange.header("User-Agent");
    return agent != null && BROWSERS.stream().anyMatch(agent::startsWith);
  }

  private static ApiException notAcceptable() {
    return notAcceptable("only the following media types are accepted: " + OFFERED);
  }

  private static ApiException notAcceptable(String message) {
    return new ApiException(Status.of(406, "NotAcceptable", message));
  }

  private static ApiException unknownTypes() {
    return new ApiException(
        Status.of(
                406,
                "NotAcceptable",
                "406: Not Acceptable\n\nAvailable representations: " + OFFERED)
            .withDetails(Details.EMPTY));
  }
}
