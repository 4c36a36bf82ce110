package io.fairlead.api.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fairlead.api.codec.BodyFormat;
import io.fairlead.api.codec.Decoder;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.kubernetes.client.proto.IntStr;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Authorization;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The generated classes of the Kubernetes client are the oracle: what they write we read, what we
/// write they read.
class ProtobufTest {
  private static final Schemas SCHEMAS = Schemas.kubernetes();

  @Test
  void aNamespaceAsKubectlSendsIt() {
    byte[] body =
        HexFormat.of()
            .parseHex(
                "6b3873000a0f0a02763112094e616d65737061636512190a110a017812001a0022002a00"
                    + "32003800420012001a020a001a002200");
    assertThat(decoded(body, "core.v1.Namespace"))
        .isEqualTo(
            "{'kind':'Namespace','apiVersion':'v1','metadata':{'name':'x'},'spec':{},'status':{}}");
  }

  @Test
  void zerosOfPlainFieldsGoAndThoseOfPointersStay() {
    V1.PodSpec spec =
        V1.PodSpec.newBuilder()
            .setHostNetwork(false)
            .setRestartPolicy("")
            .setTerminationGracePeriodSeconds(0)
            .setEnableServiceLinks(false)
            .addContainers(V1.Container.newBuilder().setName("a").setStdin(false))
            .build();
    V1.Pod pod = V1.Pod.newBuilder().setSpec(spec).build();
    assertThat(decoded(sealed("v1", "Pod", pod.toByteArray()), "core.v1.Pod"))
        .isEqualTo(
            "{'kind':'Pod','apiVersion':'v1','spec':{'containers':[{'name':'a'}],"
                + "'terminationGracePeriodSeconds':0,'enableServiceLinks':false}}");
  }

  @Test
  void aWholeNumberEqualsTheOneReadFromJson() {
    V1.PodSpec spec =
        V1.PodSpec.newBuilder()
            .setTerminationGracePeriodSeconds(30)
            .setActiveDeadlineSeconds(1L << 40)
            .build();
    V1.Pod pod = V1.Pod.newBuilder().setSpec(spec).build();
    ObjectNode read =
        Decoder.decode(
                sealed("v1", "Pod", pod.toByteArray()), BodyFormat.PROTOBUF, struct("core.v1.Pod"))
            .object();
    assertThat(read.path("spec"))
        .isEqualTo(
            object("{'terminationGracePeriodSeconds':30,'activeDeadlineSeconds':1099511627776}"));
  }

  @Test
  void flattenedMessagesJoinTheirParent() {
    V1.Volume volume =
        V1.Volume.newBuilder()
            .setName("v")
            .setVolumeSource(
                V1.VolumeSource.newBuilder()
                    .setConfigMap(
                        V1.ConfigMapVolumeSource.newBuilder()
                            .setLocalObjectReference(
                                V1.LocalObjectReference.newBuilder().setName("c"))
                            .setDefaultMode(0)))
            .build();
    assertThat(message(volume.toByteArray(), "core.v1.Volume"))
        .isEqualTo("{'name':'v','configMap':{'name':'c','defaultMode':0}}");
  }

  @Test
  void leavesThatAreMessages() {
    V1.ServicePort port =
        V1.ServicePort.newBuilder()
            .setPort(80)
            .setTargetPort(IntStr.IntOrString.newBuilder().setType(1).setStrVal("http"))
            .build();
    assertThat(message(port.toByteArray(), "core.v1.ServicePort"))
        .isEqualTo("{'port':80,'targetPort':'http'}");
    Meta.ObjectMeta meta =
        Meta.ObjectMeta.newBuilder()
            .setCreationTimestamp(Meta.Time.newBuilder().setSeconds(1_700_000_000))
            .putLabels("a", "b")
            .putLabels("c", "")
            .build();
    assertThat(message(meta.toByteArray(), "meta.v1.ObjectMeta"))
        .isEqualTo("{'creationTimestamp':'2023-11-14T22:13:20Z','labels':{'a':'b','c':''}}");
    V1.Secret secret =
        V1.Secret.newBuilder()
            .putData("k", com.google.protobuf.ByteString.copyFromUtf8("hi"))
            .build();
    assertThat(message(secret.toByteArray(), "core.v1.Secret")).isEqualTo("{'data':{'k':'aGk='}}");
  }

  @Test
  void namedSlicesAreListsInJson() {
    V1Authorization.SubjectAccessReviewSpec spec =
        V1Authorization.SubjectAccessReviewSpec.newBuilder()
            .setUser("u")
            .putExtra("k", V1Authorization.ExtraValue.newBuilder().addItems("v").build())
            .build();
    assertThat(message(spec.toByteArray(), "authorization.v1.SubjectAccessReviewSpec"))
        .isEqualTo("{'user':'u','extra':{'k':['v']}}");
  }

  /// A schema with everything that protobuf writes in another way than JSON.
  private static final String SCHEMA =
      "{'type':'object','maximum':0,'minimum':1.5,'x-kubernetes-preserve-unknown-fields':false,"
          + "'default':{'a':[1]},'enum':['x',null,2],'items':{'type':'string'},"
          + "'additionalProperties':{'type':'integer'},'additionalItems':false,"
          + "'dependencies':{'a':['b','c'],'d':{'type':'null'}},"
          + "'properties':{'list':{'items':[{'type':'string'},{'type':'integer'}],"
          + "'additionalProperties':true}}}";

  @Test
  void aSchemaHoldsSchemasOrSomethingElse() throws InvalidProtocolBufferException {
    StructType type =
        SCHEMAS.struct("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
    byte[] written = ProtobufWriter.message(object(SCHEMA), type);
    V1Apiextensions.JSONSchemaProps oracle = V1Apiextensions.JSONSchemaProps.parseFrom(written);
    assertThat(oracle.getItems().getSchema().getType()).isEqualTo("string");
    assertThat(oracle.getAdditionalProperties().getAllows()).isTrue();
    assertThat(oracle.getAdditionalProperties().getSchema().getType()).isEqualTo("integer");
    assertThat(oracle.getAdditionalItems().getAllows()).isFalse();
    assertThat(oracle.getAdditionalItems().hasSchema()).isFalse();
    assertThat(oracle.getDependenciesOrThrow("a").getPropertyList()).containsExactly("b", "c");
    assertThat(oracle.getDependenciesOrThrow("d").getSchema().getType()).isEqualTo("null");
    assertThat(oracle.getPropertiesOrThrow("list").getItems().getJSONSchemasCount()).isEqualTo(2);
    assertThat(oracle.getEnumList().stream().map(each -> each.getRaw().toStringUtf8()))
        .containsExactly("\"x\"", "null", "2");

    ObjectNode read = Json.object();
    ProtobufReader.readMessage(oracle.toByteArray(), type, read);
    assertThat(read).isEqualTo(object(SCHEMA));
  }

  @Test
  void whatWeWriteTheGeneratedClassesRead() throws InvalidProtocolBufferException {
    ObjectNode pod =
        object(
            "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p','labels':{'a':'b'},"
                + "'creationTimestamp':'2023-11-14T22:13:20Z'},'spec':{'containers':[{'name':'c',"
                + "'livenessProbe':{'httpGet':{'port':'http'},'periodSeconds':10},"
                + "'resources':{'limits':{'cpu':'500m'}}}],'volumes':[{'name':'v','emptyDir':{}}]}}");
    Envelope envelope = Envelope.open(ProtobufWriter.write(pod, struct("core.v1.Pod")));
    assertThat(envelope.kind()).isEqualTo("Pod");
    V1.Pod read = V1.Pod.parseFrom(envelope.raw().array());
    assertThat(read.getMetadata().getName()).isEqualTo("p");
    assertThat(read.getMetadata().getCreationTimestamp().getSeconds()).isEqualTo(1_700_000_000);
    V1.Container container = read.getSpec().getContainers(0);
    assertThat(container.getLivenessProbe().getHandler().getHttpGet().getPort().getStrVal())
        .isEqualTo("http");
    assertThat(container.getResources().getLimitsOrThrow("cpu").getString()).isEqualTo("500m");
    assertThat(read.getSpec().getVolumes(0).getVolumeSource().hasEmptyDir()).isTrue();
  }

  @Test
  void listsAndStatusesAreWrittenToo() throws InvalidProtocolBufferException {
    ObjectNode list =
        object(
            "{'kind':'ServiceList','apiVersion':'v1','metadata':{'resourceVersion':'7'},"
                + "'items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}]}");
    byte[] body = ProtobufWriter.write(list, struct("core.v1.ServiceList"));
    V1.ServiceList read = V1.ServiceList.parseFrom(Envelope.open(body).raw().array());
    assertThat(read.getMetadata().getResourceVersion()).isEqualTo("7");
    assertThat(read.getItems(1).getMetadata().getName()).isEqualTo("b");
    ObjectNode status =
        object("{'kind':'Status','apiVersion':'v1','status':'Failure','code':404,'message':'m'}");
    byte[] answer = ProtobufWriter.write(status, struct("meta.v1.Status"));
    assertThat(Meta.Status.parseFrom(Envelope.open(answer).raw().array()).getCode()).isEqualTo(404);
  }

  @Test
  void aListWrittenItemByItemIsTheSameList() throws IOException {
    ObjectNode list =
        object(
            "{'kind':'ServiceList','apiVersion':'v1','metadata':{'resourceVersion':'7'},"
                + "'items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}]}");
    List<byte[]> items = new ArrayList<>();
    for (JsonNode item : list.path("items")) {
      items.add(ProtobufWriter.message(item, struct("core.v1.Service")));
    }
    byte[] whole = ProtobufWriter.write(list, struct("core.v1.ServiceList"));
    list.remove("items");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProtobufWriter.writeList(out, list, struct("core.v1.ServiceList"), items);
    assertThat(out.toByteArray()).isEqualTo(whole);
  }

  @Test
  void aWatchFrameHoldsTheSealedObject() throws InvalidProtocolBufferException {
    byte[] object =
        ProtobufWriter.write(object("{'kind':'Pod','apiVersion':'v1'}"), struct("core.v1.Pod"));
    ByteBuffer frame = ByteBuffer.wrap(ProtobufWriter.watchFrame("ADDED", object));
    byte[] event = new byte[frame.getInt()];
    frame.get(event);
    assertThat(frame.hasRemaining()).isFalse();
    Meta.WatchEvent read = Meta.WatchEvent.parseFrom(event);
    assertThat(read.getType()).isEqualTo("ADDED");
    assertThat(read.getObject().getRaw().toByteArray()).isEqualTo(object);
  }

  @Test
  void otherBytesAreRefused() {
    assertThatThrownBy(() -> decoded("{}".getBytes(StandardCharsets.UTF_8), "core.v1.Pod"))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("expected prefix");
    assertThatThrownBy(() -> decoded(sealed("v1", "Pod", new byte[] {0x0a, 0x7f}), "core.v1.Pod"))
        .isInstanceOf(DecodeException.class);
  }

  private static byte[] sealed(String apiVersion, String kind, byte[] raw) {
    return new Envelope(apiVersion, kind, new Envelope.Bytes(raw)).seal();
  }

  private static String decoded(byte[] body, String type) {
    return text(Decoder.decode(body, BodyFormat.PROTOBUF, struct(type)).object());
  }

  private static String message(byte[] raw, String type) {
    return text(Decoder.decode(sealed("", "", raw), BodyFormat.PROTOBUF, struct(type)).object());
  }

  private static String text(ObjectNode object) {
    return new String(Json.bytes(object), StandardCharsets.UTF_8).replace('"', '\'');
  }

  private static ObjectNode object(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static StructType struct(String name) {
    String prefix = name.startsWith("meta.") ? "io.k8s.apimachinery.pkg.apis." : "io.k8s.api.";
    return SCHEMAS.struct(prefix + name);
  }
}
