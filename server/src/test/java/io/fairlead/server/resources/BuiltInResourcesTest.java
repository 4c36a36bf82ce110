package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuiltInResourcesTest {
  @Test
  void groupsStandInOrderOfPreference() {
    Set<String> groups = new LinkedHashSet<>();
    BuiltInResources.all().forEach(resource -> groups.add(resource.descriptor().group()));
    assertThat(groups)
        .containsExactly(
            "",
            "apiregistration.k8s.io",
            "apps",
            "events.k8s.io",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "autoscaling",
            "batch",
            "certificates.k8s.io",
            "networking.k8s.io",
            "policy",
            "rbac.authorization.k8s.io",
            "storage.k8s.io",
            "admissionregistration.k8s.io",
            "apiextensions.k8s.io",
            "scheduling.k8s.io",
            "coordination.k8s.io",
            "node.k8s.io",
            "discovery.k8s.io",
            "flowcontrol.apiserver.k8s.io",
            "resource.k8s.io");
  }

  @Test
  void noPathIsServedTwice() {
    Set<String> paths = new HashSet<>();
    for (Resource resource : BuiltInResources.all()) {
      ResourceDescriptor descriptor = resource.descriptor();
      assertThat(paths.add(descriptor.apiVersion() + "/" + descriptor.plural()))
          .as(descriptor.plural())
          .isTrue();
    }
  }

  @Test
  void onlyOtherShapesOfAKindShareAPlaceInTheStore() {
    Set<String> places = new HashSet<>();
    for (Resource resource : BuiltInResources.all()) {
      String place = resource.descriptor().storagePrefix();
      boolean otherShape =
          List.of("/registry/events", "/registry/horizontalpodautoscalers").contains(place);
      if (!place.isEmpty() && !otherShape) {
        assertThat(places.add(place)).as(place).isTrue();
      }
    }
  }

  @Test
  void placesInTheStoreAreThoseOfTheOriginal() {
    assertThat(key("services")).isEqualTo("/registry/services/specs/ns/x");
    assertThat(key("endpoints")).isEqualTo("/registry/services/endpoints/ns/x");
    assertThat(key("nodes")).isEqualTo("/registry/minions/x");
    assertThat(key("leases")).isEqualTo("/registry/leases/ns/x");
    assertThat(key("deployments")).isEqualTo("/registry/deployments/ns/x");
  }

  private static String key(String plural) {
    return BuiltInResources.all().stream()
        .map(Resource::descriptor)
        .filter(descriptor -> descriptor.plural().equals(plural))
        .findFirst()
        .orElseThrow()
        .key("ns", "x");
  }
}
