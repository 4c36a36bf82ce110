package io.fairlead.controller.endpointslice;

import static io.fairlead.controller.endpointslice.SliceModel.podTree;
import static io.fairlead.controller.endpointslice.SliceModel.ready;
import static io.fairlead.controller.endpointslice.SliceModel.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.fairlead.api.json.Json;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

/// What a pod becomes in a slice: the vectors of the content.
public class EndpointContentTest extends SliceVectors {
  /// @param ready as the slice says it
  record State(String name, Consumer<ObjectNode> pod, boolean publishNotReady, String expected) {}

  @TestFactory
  public Stream<DynamicTest> conditions() {
    return Stream.of(
            new State("ES-6 ready", _ -> {}, false, "true,true,false"),
            new State("ES-7 not ready", pod -> ready(pod, false), false, "false,false,false"),
            new State("ES-8 terminating", SliceModel::terminating, false, "false,true,true"),
            new State(
                "ES-9 terminating, not ready",
                pod -> {
                  ready(pod, false);
                  terminating(pod);
                },
                false,
                "false,false,true"),
            new State(
                "ES-10 published although terminating and not ready",
                pod -> {
                  ready(pod, false);
                  terminating(pod);
                },
                true,
                "true,false,true"),
            new State(
                "ES-11 published although not ready",
                pod -> ready(pod, false),
                true,
                "true,false,false"),
            new State(
                "ES-12 failed", pod -> Json.child(pod, "status").put("phase", "Failed"), true, "-"),
            new State(
                "ES-12 succeeded",
                pod -> Json.child(pod, "status").put("phase", "Succeeded"),
                false,
                "-"),
            new State(
                "ES-13 no address yet",
                pod -> Json.child(pod, "status").remove("podIPs"),
                true,
                "-"),
            new State(
                "ES-26 node unknown",
                pod -> Json.child(pod, "spec").put("nodeName", "nowhere"),
                false,
                "-"),
            new State(
                "ES-27 node unknown, published",
                pod -> Json.child(pod, "spec").put("nodeName", "nowhere"),
                true,
                "true,true,false"))
        .map(
            state ->
                DynamicTest.dynamicTest(
                    state.name(),
                    () -> {
                      SliceModel model = model();
                      model.spec().put("publishNotReadyAddresses", state.publishNotReady());
                      ObjectNode pod = podTree("p", "10.0.0.1");
                      state.pod().accept(pod);
                      model.put(pod);
                      model.sync();
                      List<SliceEndpoint> endpoints = model.only().endpoints();
                      assertThat(endpoints.isEmpty() ? "-" : words(endpoints.getFirst()))
                          .isEqualTo(state.expected());
                    }));
  }

  private static String words(SliceEndpoint endpoint) {
    EndpointConditions conditions = endpoint.conditions();
    return conditions.ready() + "," + conditions.serving() + "," + conditions.terminating();
  }

  @Test
  public void es6AnEndpointNamesItsPodItsNodeAndItsZone() {
    SliceModel model = model();
    model.put(podTree("p", "10.0.0.1"));
    model.sync();
    SliceEndpoint endpoint = model.onlyEndpoint();
    assertThat(endpoint.target())
        .isEqualTo(new EndpointTargetRef("Pod", model.namespace(), "p", uidOf(model, "p")));
    assertThat(endpoint.nodeName()).isEqualTo("node-a");
    assertThat(endpoint.zone()).isEqualTo("a");
  }

  private static String uidOf(SliceModel model, String pod) {
    return Objects.requireNonNull(model.pods.get(pod)).metadata().uid();
  }

  @Test
  public void es14And15EachFamilyHasItsSlices() {
    SliceModel model = model();
    model.spec().putArray("ipFamilies").add("IPv4").add("IPv6");
    model.put(podTree("p", "10.0.0.5", "fd00::5"));
    assertThat(model.sync()).isEqualTo("2C");
    assertThat(model.slices)
        .extracting(slice -> slice.addressType() + slice.endpoints().getFirst().addresses())
        .containsExactly("IPv4[10.0.0.5]", "IPv6[fd00::5]");
    model.put(podTree("p", "10.0.0.5"));
    assertThat(model.sync()).as("ES-15: the other family gets a placeholder").isEqualTo("1U");
    assertThat(model.sizes()).containsExactly(1, 0);
    model.spec().putArray("ipFamilies").add("IPv4");
    assertThat(model.sync()).as("ES-16: back to one family").isEqualTo("1D");
  }

  @Test
  public void es17AddressesAreCanonical() {
    SliceModel model = model();
    model.put(podTree("p", "010.000.000.005"));
    model.sync();
    assertThat(model.onlyEndpoint().addresses()).containsExactly("10.0.0.5");
  }

  private static ObjectNode declaring(ObjectNode pod, String list, String protocol, int number) {
    ObjectNode container = Json.object().put("name", "more");
    container
        .putArray("ports")
        .addObject()
        .put("name", "http")
        .put("protocol", protocol)
        .put("containerPort", number);
    Json.child(pod, "spec").withArray(list).add(container);
    return pod;
  }

  @Test
  public void es18And19NamedPortsMayDifferFromPodToPod() {
    SliceModel model = model();
    model.port(0).put("targetPort", "http");
    for (int i = 0; i < 300; i++) {
      ObjectNode pod = podTree("p-" + i, "10.0." + i / 250 + "." + (i % 250 + 1));
      model.put(declaring(pod, "containers", "TCP", 8080 + i % 5));
    }
    assertThat(model.sync()).isEqualTo("5C");
    assertThat(model.sizes()).containsExactly(60, 60, 60, 60, 60);
    assertThat(model.slices)
        .extracting(slice -> slice.ports().getFirst().port())
        .containsExactlyInAnyOrder(8080, 8081, 8082, 8083, 8084);
  }

  @Test
  public void es20ANamedPortOfAnotherProtocolDoesNotCount() {
    SliceModel model = model();
    model.port(0).put("targetPort", "http");
    model.put(declaring(podTree("p", "10.0.0.1"), "containers", "UDP", 8080));
    model.sync();
    assertThat(model.only().ports()).isEmpty();
    assertThat(model.only().endpoints()).hasSize(1);
  }

  @Test
  public void es21ASidecarsPortsCountAPlainInitContainersDoNot() {
    SliceModel model = model();
    model.port(0).put("targetPort", "http");
    ObjectNode pod = declaring(podTree("p", "10.0.0.1"), "initContainers", "TCP", 8080);
    model.put(pod);
    model.sync();
    assertThat(model.only().ports()).isEmpty();
    ((ObjectNode) Json.child(pod, "spec").path("initContainers").path(0))
        .put("restartPolicy", "Always");
    model.put(pod);
    model.sync();
    assertThat(model.only().ports()).containsExactly(new SlicePort("http", "TCP", 8080, ""));
  }

  @Test
  public void es22APodServesThePortsItHas() {
    SliceModel model = model();
    model
        .spec()
        .withArray("ports")
        .addObject()
        .put("name", "more")
        .put("port", 81)
        .put("targetPort", "http");
    model.put(declaring(podTree("a", "10.0.0.1"), "containers", "TCP", 8081));
    model.put(podTree("b", "10.0.0.2"));
    model.sync();
    assertThat(model.slices)
        .extracting(
            slice -> slice.ports().size() + " " + slice.endpoints().getFirst().target().name())
        .containsExactlyInAnyOrder("2 a", "1 b");
  }

  @Test
  public void es23AHeadlessServiceNeedsNoPorts() {
    SliceModel model = model();
    model.spec().put("clusterIP", "None").remove("ports");
    model.put(podTree("p", "10.0.0.1"));
    assertThat(model.sync()).isEqualTo("1C");
    assertThat(model.only().metadata().labels()).containsEntry(SliceLabels.HEADLESS, "");
    assertThat(model.only().endpoints()).hasSize(1);
    assertThat(model.sync()).isEmpty();
  }

  @Test
  public void es24AHostnameNeedsTheServicesNameAsSubdomain() {
    SliceModel model = model();
    ObjectNode pod = podTree("p", "10.0.0.1");
    Json.child(pod, "spec").put("hostname", "h").put("subdomain", "svc");
    model.put(pod);
    model.sync();
    assertThat(model.onlyEndpoint().hostname()).isEqualTo("h");
    Json.child(pod, "spec").put("subdomain", "other");
    model.put(pod);
    model.sync();
    assertThat(model.onlyEndpoint().hostname()).isEmpty();
  }

  @Test
  public void es26APodOnAnUnknownNodeIsToldAboutAndTheOthersArePublished() {
    SliceModel model = model();
    ObjectNode lost = podTree("lost", "10.0.0.1");
    Json.child(lost, "spec").put("nodeName", "nowhere");
    model.put(lost);
    model.put(podTree("p", "10.0.0.2"));
    model.sync();
    assertThat(model.onlyEndpoint().target().name()).isEqualTo("p");
    if (!model.isReal()) {
      assertThat(model.problems)
          .containsExactly("skipping Pod lost for Service default/svc: Node nowhere Not Found");
    }
  }

  @Test
  public void es30ReservedLabelsOfTheServiceAreNotCopied() {
    SliceModel model = model();
    model.sync();
    Json.child(model.serviceTree, "metadata")
        .putObject("labels")
        .put(SliceLabels.SERVICE_NAME, "bad")
        .put(SliceLabels.MANAGED_BY, "me")
        .put(SliceLabels.HEADLESS, "x");
    assertThat(model.sync()).isEmpty();
    assertThat(model.only().metadata().labels())
        .containsEntry(SliceLabels.SERVICE_NAME, "svc")
        .doesNotContainKey(SliceLabels.HEADLESS);
  }

  @Test
  public void foreignAnnotationsFinalizersAndOwnersSurviveAWrite() {
    SliceModel model = model();
    assumeFalse(model.isReal(), "what others write is played by the histories");
    model.sync();
    ObjectNode body =
        SliceBody.of(
            SliceDraft.changing(model.only(), List.of()),
            model.decoded(),
            java.util.Optional.empty());
    ObjectNode metadata = Json.child(body, "metadata");
    metadata.putObject("annotations").put("example.com/a", "b");
    metadata.putArray("finalizers").add("example.com/f");
    metadata.withArray("ownerReferences").addObject().put("kind", "Thing").put("uid", "u");
    model.slices.set(0, Slice.of(body));
    model.put(podTree("p", "10.0.0.1"));
    assertThat(model.sync()).isEqualTo("1U");
    assertThat(model.only().annotations()).containsEntry("example.com/a", "b");
    assertThat(model.only().metadata().finalizers()).containsExactly("example.com/f");
    assertThat(model.only().metadata().ownerReferences()).hasSize(2);
  }
}
