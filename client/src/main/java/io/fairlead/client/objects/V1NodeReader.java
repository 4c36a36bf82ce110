package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import io.fairlead.client.objects.FieldMask.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;

/// Reads one Node from its tokens.
final class V1NodeReader {
  private final MetadataReader metadata;
  private final boolean readsConditions;
  private final boolean readsScheduling;
  private List<V1Node.Taint> taints = List.of();
  private String podCidr = "";
  private List<String> podCidrs = List.of();
  private Map<String, String> allocatable = Map.of();
  private List<V1Condition> conditions = List.of();
  private List<V1Node.Address> addresses = List.of();
  private List<V1Node.Image> images = List.of();
  private boolean unschedulable;

  V1NodeReader(FieldMask mask) {
    this.metadata = new MetadataReader(mask);
    this.readsConditions = mask.has(Part.CONDITIONS);
    this.readsScheduling = mask.has(Part.SCHEDULING);
  }

  V1Node read(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "metadata" -> metadata.read(in);
        case "spec" -> spec(in);
        case "status" -> status(in);
        default -> {}
      }
    }
    return new V1Node(
        metadata.metadata(),
        metadata.annotations(),
        unschedulable,
        taints,
        podCidr,
        podCidrs,
        allocatable,
        conditions,
        addresses,
        images);
  }

  private void spec(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "unschedulable" -> unschedulable = JsonTokenReader.booleanOr(in, false);
        case "taints" -> taints = taints(in);
        case "podCIDR" -> podCidr = JsonTokenReader.textOr(in, "");
        case "podCIDRs" -> podCidrs = JsonTokenReader.texts(in);
        default -> {}
      }
    }
  }

  private void status(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "addresses" -> addresses = addresses(in);
        case "conditions" -> {
          if (readsConditions) {
            conditions = V1Condition.list(in);
          }
        }
        case "allocatable" -> {
          if (readsScheduling) {
            allocatable = V1ContainerReader.amounts(in);
          }
        }
        case "images" -> {
          if (readsScheduling) {
            images = images(in);
          }
        }
        default -> {}
      }
    }
  }

  private static List<V1Node.Taint> taints(JsonParser in) {
    List<V1Node.Taint> taints = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      String key = "";
      String value = "";
      String effect = "";
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        switch (it) {
          case "key" -> key = JsonTokenReader.textOr(in, "").intern();
          case "value" -> value = JsonTokenReader.textOr(in, "").intern();
          case "effect" -> effect = JsonTokenReader.textOr(in, "").intern();
          default -> {}
        }
      }
      taints.add(new V1Node.Taint(key, value, effect));
    }
    return taints;
  }

  private static List<V1Node.Address> addresses(JsonParser in) {
    List<V1Node.Address> addresses = new ArrayList<>(2);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      String type = "";
      String address = "";
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        switch (it) {
          case "type" -> type = JsonTokenReader.textOr(in, "").intern();
          case "address" -> address = JsonTokenReader.textOr(in, "");
          default -> {}
        }
      }
      addresses.add(new V1Node.Address(type, address));
    }
    return addresses;
  }

  private static List<V1Node.Image> images(JsonParser in) {
    List<V1Node.Image> images = new ArrayList<>();
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      List<String> names = List.of();
      long size = 0;
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        switch (it) {
          case "names" -> names = JsonTokenReader.texts(in);
          case "sizeBytes" -> size = JsonTokenReader.longOr(in, 0);
          default -> {}
        }
      }
      images.add(new V1Node.Image(names, size));
    }
    return images;
  }
}
