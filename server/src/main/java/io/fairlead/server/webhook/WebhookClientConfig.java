package io.fairlead.server.webhook;

import io.fairlead.api.json.Json;
import java.net.URI;
import java.util.Base64;
import tools.jackson.databind.JsonNode;

/// How a webhook is reached: the `clientConfig` of a webhook configuration, or of the conversion of
/// a CustomResourceDefinition.
///
/// @param caBundle PEM of the CAs that vouch for the webhook; empty for those of this machine
public record WebhookClientConfig(Destination destination, String caBundle) {

  /// Where requests go.
  public sealed interface Destination {
    /// The name in the certificate of the webhook, which is also asked for by SNI.
    String serverName();

    int port();

    /// The path of requests; begins with a slash.
    String path();

    /// How the original writes it in errors, without the query.
    default String shown() {
      boolean bare = this instanceof Url && port() == Url.DEFAULT_PORT;
      String host = serverName().indexOf(':') >= 0 ? "[" + serverName() + "]" : serverName();
      return "https://" + host + (bare ? "" : ":" + port()) + path();
    }
  }

  /// A host by its name or address, chosen by who wrote the configuration.
  public record Url(String serverName, int port, String path) implements Destination {
    static final int DEFAULT_PORT = 443;
  }

  /// A Service of this cluster, whose endpoints are connected to.
  public record ServiceReference(String namespace, String name, int port, String path)
      implements Destination {
    @Override
    public String serverName() {
      return name + "." + namespace + ".svc";
    }
  }

  /// Reads a `clientConfig` that validation has let pass.
  ///
  /// @throws WebhookException when it names nothing that can be called
  public static WebhookClientConfig of(JsonNode config) throws WebhookException {
    return new WebhookClientConfig(destination(config), bundle(config));
  }

  private static Destination destination(JsonNode config) throws WebhookException {
    JsonNode service = config.path("service");
    if (service.isObject()) {
      String path = Json.textOr(service, "", "path");
      return new ServiceReference(
          Json.textOr(service, "", "namespace"),
          Json.textOr(service, "", "name"),
          service.path("port").asInt(Url.DEFAULT_PORT),
          path.startsWith("/") ? path : "/" + path);
    }
    URI url;
    try {
      url = URI.create(Json.textOr(config, "", "url"));
    } catch (IllegalArgumentException e) {
      throw new WebhookException("the url of the webhook is none: " + e.getMessage(), e);
    }
    String host = url.getHost();
    if (host == null || !"https".equalsIgnoreCase(url.getScheme())) {
      throw new WebhookException("the url of the webhook must be https://host[:port][/path]");
    }
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    String path = url.getRawPath();
    return new Url(
        bare,
        url.getPort() < 0 ? Url.DEFAULT_PORT : url.getPort(),
        path == null || path.isEmpty() ? "/" : path);
  }

  private static String bundle(JsonNode config) throws WebhookException {
    String text = Json.textOr(config, "", "caBundle");
    try {
      return new String(
          Base64.getDecoder().decode(text), java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      throw new WebhookException("the caBundle of the webhook is not base64", e);
    }
  }
}
