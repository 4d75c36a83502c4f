import Runner from "jest-light-runner/child-process";
import Tinypool from "tinypool";

/**
 * In jest-light-runner 0.8.2 a worker asks for its settings when it has loaded the runner. The first question is answered to every
 * worker at once, and then their addresses are forgotten: one that still loads (a cold disk) doesn't hear the answer, gets none to
 * its own question, and Jest waits for ever. Here only the worker that asks is answered.
 */
const { run } = Tinypool.prototype;
Tinypool.prototype.run = function runWithOwnChannel(task, { channel, ...options } = {}) {
  if (!channel) return run.call(this, task, options);
  let answer;
  const own = {
    onMessage(listener) {
      answer = listener;
    },
    postMessage(question) {
      channel.onMessage(answer);
      channel.postMessage(question);
    },
  };
  return run.call(this, task, { ...options, channel: own });
};

export default Runner;
