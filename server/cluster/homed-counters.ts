import { LRUCache } from "lru-cache";
import type { Counter, OpenCounter, WindowRule } from "../base/counters.ts";
import { countAlong } from "./along-memory.ts";
import type { Link } from "./link-types.ts";
import { ProcessGoneError } from "./questions.ts";

interface HomedDeps {
  link: Pick<Link, "self" | "findHome" | "ask" | "answer">;
  /** Counts in memory. */
  memory: OpenCounter;
}

type Step = "take" | "give back" | "wait" | "first refusal";
/** What one process asks of another; `number` names what was taken. */
interface Question {
  step: Step;
  counter: string;
  key: string;
  number: number;
}

const KIND = "count";
/** Nobody's request waits longer: without an answer this process's own counts decide. */
const ANSWER_MS = 500;
/** What was taken here and may be given back. One that is pushed out stays counted to the end of its window. */
const MAX_TAKEN = 10_000;

const toSeconds = (answer: unknown): number | undefined => (typeof answer === "number" ? answer : undefined);

/**
 * Counts that the processes of a site share without an engine for it: one of them keeps each key's count in its memory, and is asked. So
 * who asks at once at several processes is counted one after the other. Each process counts what came to itself as well, and refuses where either
 * is full: one that goes takes its counts along, and leaves the others as strict as they are alone.
 */
export function openHomedCounters({ link, memory }: HomedDeps): OpenCounter {
  const kept = new Map<string, Counter>();
  const taken = new LRUCache<string, () => Promise<void>>({ max: MAX_TAKEN });
  let nextNumber = 0;

  /** @returns seconds to wait, 0: counted; whether it was the first refusal; undefined where this process has no such count. */
  async function answer({ step, counter: name, key, number }: Question, from: string): Promise<unknown> {
    const counter = kept.get(name);
    const id = `${from} ${number}`;
    if (step === "wait") return counter?.getWaitS(key);
    if (step === "first refusal") return counter?.isFirstRefusal(key);
    if (step === "give back") {
      const giveBack = taken.get(id);
      taken.delete(id);
      return giveBack?.();
    }
    const taking = await counter?.take(key);
    if (!taking?.isTaken) return taking?.waitS;
    taken.set(id, taking.giveBack);
    return 0;
  }
  link.answer(KIND, (body, from) => answer(body as Question, from)); // of our own making: see `ask`

  /** Undefined: nobody can say, and what this process counted is what counts. */
  async function ask(home: string, question: Question): Promise<unknown> {
    if (home === link.self) return answer(question, home);
    try {
      return await link.ask(home, KIND, question, ANSWER_MS);
    } catch (error) {
      if (error instanceof ProcessGoneError) return undefined;
      throw error;
    }
  }

  return (name: string, rule: WindowRule): Counter => {
    kept.set(name, memory(name, rule));

    function toQuestion(step: Step, key: string): [home: string, question: Question] {
      nextNumber += 1;
      return [link.findHome(`${name} ${key}`), { step, counter: name, key, number: nextNumber }];
    }

    return countAlong(memory(name, rule), {
      async take(key) {
        const [home, question] = toQuestion("take", key);
        const waitS = toSeconds(await ask(home, question));
        return waitS === undefined
          ? undefined
          : { waitS, giveBack: () => ask(home, { ...question, step: "give back" }) };
      },
      getWaitS: async (key) => toSeconds(await ask(...toQuestion("wait", key))),
      isFirstRefusal: async (key) => (await ask(...toQuestion("first refusal", key))) !== false,
    });
  };
}
