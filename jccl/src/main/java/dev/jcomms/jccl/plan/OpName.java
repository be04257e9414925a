package dev.jcomms.jccl.plan;

import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Op.Ordering;
import java.util.List;

/** The format's names of ops. */
final class OpName {
  static final List<String> ALL =
      List.of(
          ("nop barrier signal wait rlxsignal rlxwait flush sem_acquire sem_release copy cpkt upkt"
                  + " put pws pwsf get ppkt rppkt re res rre rres repkt respkt recpkt recspkt"
                  + " glre glres gstore gstorepkt pipeline")
              .split(" "));

  private OpName() {}

  static String of(Op op) {
    return switch (op) {
      case Op.Nop _ -> "nop";
      case Op.Barrier _ -> "barrier";
      case Op.Signal signal -> signal.ordering() == Ordering.RELAXED ? "rlxsignal" : "signal";
      case Op.Wait wait -> wait.ordering() == Ordering.RELAXED ? "rlxwait" : "wait";
      case Op.Flush _ -> "flush";
      case Op.Acquire _ -> "sem_acquire";
      case Op.Release _ -> "sem_release";
      case Op.Pipeline _ -> "pipeline";
      case Op.Copy copy ->
          switch (copy.packing()) {
            case NONE -> "copy";
            case PACK -> "cpkt";
            case UNPACK -> "upkt";
          };
      case Op.Put put ->
          switch (put.completion()) {
            case NONE -> "put";
            case SIGNAL -> "pws";
            case SIGNAL_AND_FLUSH -> "pwsf";
          };
      case Op.Get _ -> "get";
      case Op.PutPackets _ -> "ppkt";
      case Op.ForwardPackets _ -> "rppkt";
      case Op.Reduce reduce ->
          (reduce.remoteSources().isEmpty() ? "re" : "rre")
              + (reduce.remoteDestinations().isEmpty() ? "" : "s");
      case Op.ReducePackets reduce ->
          "re"
              + (reduce.packetCopies().isEmpty() ? "" : "c")
              + (reduce.remoteDestinations().isEmpty() ? "" : "s")
              + "pkt";
      case Op.SwitchReduce _ -> "glre";
      case Op.SwitchReduceStore _ -> "glres";
      case Op.SwitchStore store -> store.form() == Form.PACKETS ? "gstorepkt" : "gstore";
    };
  }
}
