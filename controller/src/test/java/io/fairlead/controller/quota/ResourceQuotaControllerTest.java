package io.fairlead.controller.quota;

import static io.fairlead.client.ResourceType.CONFIG_MAPS;
import static io.fairlead.client.ResourceType.PODS;
import static io.fairlead.client.ResourceType.RESOURCE_QUOTAS;
import static io.fairlead.client.ResourceType.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ResourceQuotaControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new ResourceQuotaController(wiring, 0)))
          .sees(ResourceQuotaController.QUOTAS, RESOURCE_QUOTAS)
          .sees(CountedObject.KINDS.get(0), PODS)
          .sees(CountedObject.KINDS.get(1), SERVICES)
          .sees(CountedObject.KINDS.get(2), CONFIG_MAPS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void quota(String spec) {
    world.create(RESOURCE_QUOTAS, "metadata: {name: q}\nspec: " + spec);
    world.settle();
  }

  private String used() {
    return world.get(RESOURCE_QUOTAS, "q").at("/status/used").toString();
  }

  private void pod(String name, String spec) {
    world.create(PODS, "metadata: {name: " + name + "}\nspec: " + spec);
    world.settle();
  }

  @Test
  void useIsCountedAndGivenBack() {
    quota("{hard: {pods: '5', requests.cpu: '1', count/configmaps: '9'}}");
    assertThat(used())
        .isEqualTo("{\"count/configmaps\":\"0\",\"pods\":\"0\",\"requests.cpu\":\"0\"}");
    pod("a", "{containers: [{name: c, resources: {requests: {cpu: 250m}}}]}");
    pod("b", "{containers: [{name: c, resources: {requests: {cpu: 250m}}}]}");
    assertThat(used())
        .isEqualTo("{\"count/configmaps\":\"0\",\"pods\":\"2\",\"requests.cpu\":\"500m\"}");
    world.patchStatus(PODS, "a", Yaml.parse("{phase: Succeeded}"));
    world.delete(PODS, "b", DeleteOptions.DEFAULT);
    world.settle();
    assertThat(used())
        .isEqualTo("{\"count/configmaps\":\"0\",\"pods\":\"0\",\"requests.cpu\":\"0\"}");
  }

  record Row(String name, String quota, ResourceType type, String spec, String used) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    String greedy =
        "{containers: [{name: c, resources: {limits: {memory: 1Gi}, requests: {cpu: 1}}}]}";
    return Stream.of(
        new Row(
            "a scope that fits",
            "{hard: {pods: '1'}, scopes: [NotBestEffort]}",
            PODS,
            greedy,
            "{\"pods\":\"1\"}"),
        new Row(
            "a scope that does not",
            "{hard: {pods: '1'}, scopes: [BestEffort]}",
            PODS,
            greedy,
            "{\"pods\":\"0\"}"),
        new Row(
            "a priority class",
            "{hard: {pods: '1'}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass,"
                + " operator: In, values: [high]}]}}",
            PODS,
            "{priorityClassName: high}",
            "{\"pods\":\"1\"}"),
        new Row(
            "init containers run before the others",
            "{hard: {requests.cpu: '9'}}",
            PODS,
            "{initContainers: [{resources: {requests: {cpu: 3}}}], containers: [{resources:"
                + " {requests: {cpu: 1}}}, {resources: {requests: {cpu: 1}}}]}",
            "{\"requests.cpu\":\"3\"}"),
        new Row(
            "node ports of a load balancer",
            "{hard: {services: '9', services.nodeports: '9', services.loadbalancers: '9'}}",
            SERVICES,
            "{type: LoadBalancer, ports: [{port: 1}, {port: 2}]}",
            "{\"services\":\"1\",\"services.loadbalancers\":\"1\",\"services.nodeports\":\"2\"}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void rows(Row row) {
    quota(row.quota());
    world.create(row.type(), "metadata: {name: x}\nspec: " + row.spec());
    world.settle();
    assertThat(used()).isEqualTo(row.used());
  }
}
