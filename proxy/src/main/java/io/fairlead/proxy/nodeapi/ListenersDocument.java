package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.kernel.socket.ListeningSocket;
import io.fairlead.kernel.socket.SocketDiag;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.nodeapi.NodePodDirectory.NodePod;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `listeners`: what a pod of this node listens on.
final class ListenersDocument {
  private final NodeView view;

  ListenersDocument(NodeView view) {
    this.view = view;
  }

  private NodePod pod(NodeApiRequest request) {
    String uid = request.text("pod");
    if (uid.isEmpty()) {
      throw ApiException.badRequest("name a pod: ?pod=UID");
    }
    return request.pods().find(uid).orElseThrow(() -> ApiException.notFound("", "pods", uid));
  }

  ObjectNode answer(NodeApiRequest request) {
    NodePod pod = pod(request);
    List<ListeningSocket> sockets =
        pod.networkNamespace()
            .map(path -> NetworkNamespace.callIn(path, ListenersDocument::sockets))
            .orElseGet(ListenersDocument::sockets);
    ObjectNode document = about(pod);
    ArrayNode list = document.putArray("listeners");
    for (ListeningSocket socket : sockets) {
      boolean tcp = socket.protocol() == ListeningSocket.TCP;
      ObjectNode one =
          list.addObject()
              .put("protocol", tcp ? "TCP" : "UDP")
              .put("address", IpAddress.ofBytes(socket.address().getAddress()).toString())
              .put("port", socket.port())
              .put("onlyIpv6", socket.onlyIpv6())
              .put("waiting", socket.waiting());
      if (tcp) {
        one.put("backlog", socket.backlog());
      } else {
        one.putNull("backlog");
      }
      one.put("inode", socket.inode()).putNull("process");
    }
    return document;
  }

  private static List<ListeningSocket> sockets() {
    try (SocketDiag sockets = SocketDiag.open()) {
      return sockets.listeners();
    }
  }

  private ObjectNode about(NodePod pod) {
    return Json.object()
        .put("kind", "PodListeners")
        .put("node", view.nodeName())
        .put("namespace", pod.key().namespace())
        .put("name", pod.key().name())
        .put("uid", pod.uid());
  }
}
