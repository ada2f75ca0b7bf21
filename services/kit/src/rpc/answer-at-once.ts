import { ServerInterceptingCall } from '@grpc/grpc-js';
import type { ServerInterceptor } from '@grpc/grpc-js';

/** Sends the status together with the one message of an answer, instead of waiting until the message is on its way. */
class AnswerAtOnce extends ServerInterceptingCall {
  override sendMessage(message: unknown, onSent: () => void): void {
    super.sendMessage(message, () => {});
    onSent();
  }
}

/**
 * Saves each unary call a write and a turn of the event loop. The few streams of health and reflection lose their brake,
 * which their short messages do not need.
 */
export const answerAtOnce: ServerInterceptor = (_method, call) => new AnswerAtOnce(call);
