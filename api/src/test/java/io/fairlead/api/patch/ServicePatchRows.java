package io.fairlead.api.patch;

import io.fairlead.api.patch.StrategicMergePatchTest.Case;
import io.fairlead.api.schema.StructType;
import java.util.stream.Stream;

/// Rows of [StrategicMergePatchTest]: what patches do to Services.
final class ServicePatchRows {
  private ServicePatchRows() {}

  static Stream<Case> all(StructType service) {
    String two = "{'spec':{'ports':[{'port':443,'name':'https'},{'port':80,'name':'http'}]}}";
    return Stream.of(
        new Case(
            "a new item goes in front",
            service,
            "{'spec':{'ports':[{'port':80,'name':'http'}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'}]}}",
            two),
        new Case(
            "a known item keeps its place",
            service,
            two,
            "{'spec':{'ports':[{'port':80,'targetPort':9090}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'},"
                + "{'port':80,'name':'http','targetPort':9090}]}}"),
        new Case(
            "order as asked for",
            service,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':80},{'port':443}],"
                + "'ports':[{'port':443,'targetPort':8443}]}}",
            "{'spec':{'ports':[{'port':80,'name':'http'},"
                + "{'port':443,'name':'https','targetPort':8443}]}}"),
        new Case(
            "order alone",
            service,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':80},{'port':443}]}}",
            "{'spec':{'ports':[{'port':80,'name':'http'},{'port':443,'name':'https'}]}}"),
        new Case(
            "kubectl reorders and adds",
            service,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':443},{'port':8080},{'port':80}],"
                + "'ports':[{'name':'alt','port':8080}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'},{'name':'alt','port':8080},"
                + "{'port':80,'name':'http'}]}}"),
        new Case(
            "kubectl removes",
            service,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':443}],"
                + "'ports':[{'$patch':'delete','port':80}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'}]}}"),
        new Case(
            "order for a list that is not there yet",
            service,
            "{'spec':{}}",
            "{'spec':{'$setElementOrder/ports':[{'port':1},{'port':2}],"
                + "'ports':[{'port':1},{'port':2,'name':null}]}}",
            "{'spec':{'ports':[{'port':1},{'port':2}]}}"),
        new Case(
            "two protocols on one port number collide",
            service,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':53},{'port':53}],'ports':["
                + "{'name':'dns','port':53,'protocol':'UDP'},"
                + "{'name':'dns-tcp','port':53,'protocol':'TCP'}]}}",
            "{'spec':{'ports':[{'name':'dns-tcp','port':53,'protocol':'TCP'},"
                + "{'port':443,'name':'https'},{'port':80,'name':'http'}]}}"),
        new Case(
            "delete an item",
            service,
            two,
            "{'spec':{'ports':[{'port':443,'$patch':'delete'}]}}",
            "{'spec':{'ports':[{'port':80,'name':'http'}]}}"),
        new Case(
            "replace the list",
            service,
            two,
            "{'spec':{'ports':[{'$patch':'replace'},{'port':81,'name':'one'}]}}",
            "{'spec':{'ports':[{'port':81,'name':'one'}]}}"),
        new Case(
            "empty the list",
            service,
            two,
            "{'spec':{'ports':[{'$patch':'replace'}]}}",
            "{'spec':{'ports':[]}}"),
        new Case("null removes the list", service, two, "{'spec':{'ports':null}}", "{'spec':{}}"),
        new Case(
            "merge said aloud",
            service,
            two,
            "{'spec':{'$patch':'merge','ports':[{'port':80,'name':'web','$patch':'merge'}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'},{'port':80,'name':'web'}]}}"),
        new Case(
            "a map merges",
            service,
            "{'spec':{'selector':{'app':'web'}}}",
            "{'spec':{'selector':{'tier':'x'}}}",
            "{'spec':{'selector':{'app':'web','tier':'x'}}}"),
        new Case(
            "null removes a key of a map",
            service,
            "{'spec':{'selector':{'app':'web','tier':'x'}}}",
            "{'spec':{'selector':{'app':null}}}",
            "{'spec':{'selector':{'tier':'x'}}}"),
        new Case(
            "a map is replaced",
            service,
            "{'spec':{'selector':{'app':'web'}}}",
            "{'spec':{'selector':{'$patch':'replace','only':'this'}}}",
            "{'spec':{'selector':{'only':'this'}}}"),
        new Case(
            "a map is emptied",
            service,
            "{'spec':{'selector':{'app':'web'}}}",
            "{'spec':{'selector':{'$patch':'delete'}}}",
            "{'spec':{'selector':{}}}"),
        new Case(
            "a list of scalars without strategy is replaced",
            service,
            "{'spec':{'externalIPs':['1.1.1.1','2.2.2.2']}}",
            "{'spec':{'externalIPs':['3.3.3.3']}}",
            "{'spec':{'externalIPs':['3.3.3.3']}}"),
        new Case(
            "scalars form a set, new ones in front",
            service,
            "{'metadata':{'finalizers':['example.com/a']}}",
            "{'metadata':{'finalizers':['example.com/b']}}",
            "{'metadata':{'finalizers':['example.com/b','example.com/a']}}"),
        new Case(
            "a scalar is taken away",
            service,
            "{'metadata':{'finalizers':['example.com/b','example.com/a']}}",
            "{'metadata':{'$deleteFromPrimitiveList/finalizers':['example.com/a']}}",
            "{'metadata':{'finalizers':['example.com/b']}}"),
        new Case(
            "a scalar is taken away and the rest ordered",
            service,
            "{'metadata':{'finalizers':['a/b','a/c','a/a']}}",
            "{'metadata':{'$deleteFromPrimitiveList/finalizers':['a/a'],"
                + "'$setElementOrder/finalizers':['a/c','a/b']}}",
            "{'metadata':{'finalizers':['a/c','a/b']}}"),
        new Case(
            "unknown members merge like free JSON",
            service,
            "{'spec':{'x':{'a':1,'l':[1,2]}}}",
            "{'spec':{'x':{'b':2,'l':[3]},'y':{'$retainKeys':['z'],'z':1,'n':null}}}",
            "{'spec':{'x':{'a':1,'l':[3],'b':2},'y':{'z':1}}}"),
        new Case(
            "another type replaces",
            service,
            "{'spec':{'ports':'x','selector':[1]}}",
            "{'spec':{'ports':[{'port':1}],'selector':{'a':'b'}}}",
            "{'spec':{'ports':[{'port':1}],'selector':{'a':'b'}}}"));
  }
}
