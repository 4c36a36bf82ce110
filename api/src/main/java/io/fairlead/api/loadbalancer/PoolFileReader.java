package io.fairlead.api.loadbalancer;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.names.NearestName;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads `pools.yaml` of the ConfigMap `kube-system/fairlead-load-balancer`.
///
/// A document with a key or a type that is not known is refused whole, so that the last good one
/// stays in force. A pool whose addresses cannot be used is refused alone.
public final class PoolFileReader {
  private static final List<String> TOP_KEYS = List.of("pools", "peers");
  private static final List<String> POOL_KEYS =
      List.of(
          "name",
          "addresses",
          "announce",
          "autoAssign",
          "avoidEdgeAddresses",
          "interfaces",
          "nodeSelector",
          "namespaceSelector",
          "serviceSelector",
          "priority",
          "shareAcrossNamespaces",
          "aggregation",
          "peers");
  private static final List<String> PEER_KEYS =
      List.of(
          "name",
          "address",
          "asn",
          "myAsn",
          "password",
          "holdTime",
          "keepaliveTime",
          "bfd",
          "nodeSelector",
          "ebgpMultihop",
          "communities",
          "localPref");
  private static final Pattern SECRET = Pattern.compile("[a-z0-9.-]+/[a-z0-9.-]+");
  private static final long MAX_ASN = 0xffff_ffffL;

  private final String text;

  private PoolFileReader(String text) {
    this.text = text;
  }

  /// @throws DecodeException when the document cannot be read; names the line and the key
  public static LoadBalancerPools read(String text) {
    return new PoolFileReader(text).read();
  }

  private LoadBalancerPools read() {
    Yaml.Parsed parsed = Yaml.read(text.getBytes(StandardCharsets.UTF_8));
    if (!parsed.duplicates().isEmpty()) {
      throw new DecodeException("pools.yaml gives a key twice: " + parsed.duplicates().getFirst());
    }
    if (parsed.value().isNull() || parsed.value().isMissingNode()) {
      return LoadBalancerPools.NONE;
    }
    ObjectNode document = object(parsed.value(), "the document");
    checkKeys(document, TOP_KEYS);
    List<LoadBalancerPool> pools = new ArrayList<>();
    List<LoadBalancerPools.RefusedPool> refused = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode one : array(document.path("pools"), "pools")) {
      ObjectNode pool = object(one, "a pool");
      checkKeys(pool, POOL_KEYS);
      String name = name(pool, names);
      try {
        pools.add(pool(pool, name));
      } catch (IllegalArgumentException e) {
        refused.add(new LoadBalancerPools.RefusedPool(name, String.valueOf(e.getMessage())));
      }
    }
    List<BgpPeer> peers = new ArrayList<>();
    Set<String> peerNames = new HashSet<>();
    for (JsonNode one : array(document.path("peers"), "peers")) {
      ObjectNode peer = object(one, "a peer");
      checkKeys(peer, PEER_KEYS);
      peers.add(peer(peer, peerNames));
    }
    return new LoadBalancerPools(pools, refused, peers);
  }

  private String name(ObjectNode pool, Set<String> names) {
    String name = Json.textOr(pool, "", "name");
    if (!NameValidation.dns1123Label(name).isEmpty()) {
      throw new DecodeException(
          "pools.yaml: \"" + name + "\" is no name of a pool: lower-case letters, digits and -");
    }
    if (!names.add(name)) {
      throw new DecodeException("pools.yaml: two pools are called " + name);
    }
    return name;
  }

  private LoadBalancerPool pool(ObjectNode pool, String name) {
    String word = pool.path("announce").asString("l2");
    Announcement announcement =
        Announcement.of(word)
            .orElseThrow(
                () ->
                    new DecodeException(
                        "pools.yaml"
                            + line("announce")
                            + ": announce is "
                            + word
                            + "; it is one of l2, none, bgp"));
    return new LoadBalancerPool(
        name,
        PoolRules.ranges(texts(pool, "addresses")),
        announcement,
        flag(pool, "autoAssign", true),
        flag(pool, "avoidEdgeAddresses", false),
        texts(pool, "interfaces"),
        selector(pool, "nodeSelector"),
        selector(pool, "namespaceSelector"),
        selector(pool, "serviceSelector"),
        (int) number(pool, "priority", LoadBalancerPool.DEFAULT_PRIORITY, 0, Integer.MAX_VALUE),
        flag(pool, "shareAcrossNamespaces", false),
        bgp(pool));
  }

  private LoadBalancerPool.Bgp bgp(ObjectNode pool) {
    long length = number(pool, "aggregation", 0, 0, 128);
    return new LoadBalancerPool.Bgp(
        length > 0 && length <= 32 ? (int) length : 32,
        length > 32 ? (int) length : 128,
        texts(pool, "peers"));
  }

  private BgpPeer peer(ObjectNode peer, Set<String> names) {
    String name = Json.textOr(peer, "", "name");
    if (!BgpPeer.isName(name)) {
      throw new DecodeException(
          "pools.yaml: \""
              + name
              + "\" is no name of a peer: at most "
              + BgpPeer.LONGEST_NAME
              + " lower-case letters, digits and -");
    }
    if (!names.add(name)) {
      throw new DecodeException("pools.yaml: two peers are called " + name);
    }
    IpAddress address = IpAddress.parseOrNull(Json.textOr(peer, "", "address"));
    if (address == null) {
      throw new DecodeException("pools.yaml: peer " + name + " needs its address, an IP address");
    }
    String secret = Json.textOr(peer, "", "password");
    if (!secret.isEmpty() && !SECRET.matcher(secret).matches()) {
      throw new DecodeException(
          "pools.yaml: password of peer " + name + " names a Secret: NAMESPACE/NAME");
    }
    List<BgpPeer.Community> communities = new ArrayList<>();
    for (String community : texts(peer, "communities")) {
      communities.add(
          BgpPeer.Community.of(community)
              .orElseThrow(
                  () ->
                      new DecodeException(
                          "pools.yaml: \"" + community + "\" is no community, such as 65000:100")));
    }
    int hold = seconds(peer, "holdTime", BgpPeer.HOLD_SECONDS);
    int keepalive =
        seconds(peer, "keepaliveTime", Math.min(BgpPeer.KEEPALIVE_SECONDS, Math.max(1, hold / 3)));
    if (hold < BgpPeer.LEAST_HOLD_SECONDS || keepalive >= hold) {
      throw new DecodeException(
          "pools.yaml: peer " + name + ": holdTime is 3s at least, and longer than keepaliveTime");
    }
    return new BgpPeer(
        name,
        address,
        number(peer, "asn", 0, 1, MAX_ASN),
        number(peer, "myAsn", 0, 1, MAX_ASN),
        secret,
        hold,
        keepalive,
        flag(peer, "bfd", true),
        selector(peer, "nodeSelector"),
        (int) number(peer, "ebgpMultihop", 0, 0, 255),
        communities,
        (int) number(peer, "localPref", 0, 0, Integer.MAX_VALUE));
  }

  private int seconds(ObjectNode peer, String key, int otherwise) {
    JsonNode value = peer.path(key);
    if (value.isString() && value.stringValue().endsWith("s")) {
      String number = value.stringValue().substring(0, value.stringValue().length() - 1);
      if (number.matches("\\d{1,5}")) {
        return Integer.parseInt(number);
      }
    }
    return (int) number(peer, key, otherwise, 1, 65_535);
  }

  /// Refuses a key that is not known, with its line and the one that was probably meant.
  private void checkKeys(ObjectNode object, List<String> known) {
    for (String key : object.propertyNames()) {
      if (!known.contains(key)) {
        Optional<String> meant = NearestName.to(key, known.stream());
        throw new DecodeException(
            "pools.yaml"
                + line(key)
                + ": unknown key \""
                + key
                + "\""
                + meant.map(name -> "; did you mean \"" + name + "\"?").orElse("")
                + " (known: "
                + String.join(", ", known)
                + ")");
      }
    }
  }

  /// ` line 4`, where a key stands first; empty when it cannot be told.
  private String line(String key) {
    Pattern place = Pattern.compile("(^|[\\s{,\"'-])" + Pattern.quote(key) + "[\"']?\\s*:");
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (place.matcher(line).find()) {
        return " line " + number;
      }
    }
    return "";
  }

  private static ObjectNode object(JsonNode value, String what) {
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw new DecodeException("pools.yaml: " + what + " is no object");
  }

  private Iterable<JsonNode> array(JsonNode value, String key) {
    if (value.isMissingNode() || value.isNull()) {
      return List.of();
    }
    if (!value.isArray()) {
      throw new DecodeException("pools.yaml" + line(key) + ": " + key + " is a list");
    }
    return value;
  }

  private List<String> texts(ObjectNode object, String key) {
    List<String> texts = new ArrayList<>();
    for (JsonNode one : array(object.path(key), key)) {
      if (!one.isString()) {
        throw new DecodeException("pools.yaml" + line(key) + ": " + key + " is a list of texts");
      }
      texts.add(one.stringValue());
    }
    return texts;
  }

  private boolean flag(ObjectNode object, String key, boolean otherwise) {
    JsonNode value = object.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      throw new DecodeException("pools.yaml" + line(key) + ": " + key + " is true or false");
    }
    return value.booleanValue();
  }

  private long number(ObjectNode object, String key, long otherwise, long least, long most) {
    JsonNode value = object.path(key);
    if (value.isMissingNode() || value.isNull()) {
      if (otherwise < least) {
        throw new DecodeException("pools.yaml: " + key + " is missing");
      }
      return otherwise;
    }
    if (!value.isIntegralNumber() || value.asLong(least - 1) < least || value.asLong(0) > most) {
      throw new DecodeException(
          "pools.yaml" + line(key) + ": " + key + " is a number from " + least + " to " + most);
    }
    return value.asLong(otherwise);
  }

  private LabelSelector selector(ObjectNode object, String key) {
    JsonNode value = object.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return LabelSelector.EVERYTHING;
    }
    ObjectNode selector = object(value, key);
    checkKeys(selector, List.of("matchLabels", "matchExpressions"));
    try {
      return LabelSelector.of(selector);
    } catch (ApiException e) {
      throw new DecodeException("pools.yaml" + line(key) + ": " + e.getMessage());
    }
  }
}
