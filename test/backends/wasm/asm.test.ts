/** The assembler: what it writes is taken by the engine and computes what the instructions say; what is wrong with a body says so. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assemble,
  block,
  br,
  br_if,
  call,
  drop,
  f32,
  f32x4,
  f64,
  f64x2,
  func,
  i32,
  i32x4,
  i64,
  i64x2,
  local,
  loop,
  return_,
  select,
  v128,
  when,
  type Func,
  type Input,
  type Label,
  type ModuleParts,
  type Types,
  type ValueType,
} from "../../../lib/backends/wasm/asm";
import { tries } from "../../effort";

type Callable = (...args: (number | bigint)[]) => number | bigint | readonly (number | bigint)[];

const MEMORY = { module: "env", name: "memory", minimum: 1, maximum: 2, shared: false };

function instantiate(parts: ModuleParts, imports: WebAssembly.Imports = {}): Readonly<Record<string, Callable>> {
  const bytes = assemble(parts) as Uint8Array<ArrayBuffer>;
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports as Record<string, Callable>;
}

/** What a function gives that is the only one of its module. */
const run = (of: Func, ...args: (number | bigint)[]) => instantiate({ exports: { of } }).of!(...args);

/** A function of no arguments that leaves a value. */
const giving = <T extends ValueType>(type: T, body: () => void): Func => func({ in: [], out: [type] }, body);

describe("integers are written in as few bytes as they need", () => {
  const edges = Array.from({ length: 33 }, (_, bit) => 2 ** bit).flatMap((power) => [power - 1, power, power + 1]);
  const signed = [...edges, ...edges.map((value) => -value)].filter((value) => value >= -(2 ** 31) && value < 2 ** 32);

  it("as constants of 32 bits, signed or not", () => {
    const exports = Object.fromEntries(signed.map((value, i) => [`f${i}`, giving("i32", () => void i32.const(value))]));
    const made = instantiate({ exports });
    signed.forEach((value, i) => expect(made[`f${i}`]!()).toBe(value | 0));
  });

  it("as constants of 64 bits", () => {
    const powers = Array.from({ length: 64 }, (_, bit) => 2n ** BigInt(bit));
    const values = powers.flatMap((power) => [power - 1n, power, -power, 1n - power, -power - 1n]);
    const all = [...values, 2n ** 64n - 1n].filter((value) => value >= -(2n ** 63n));
    const exports = Object.fromEntries(all.map((value, i) => [`f${i}`, giving("i64", () => void i64.const(value))]));
    const made = instantiate({ exports });
    all.forEach((value, i) => expect(made[`f${i}`]!()).toBe(BigInt.asIntN(64, value)));
  });

  it("of any size", () => {
    fc.assert(
      fc.property(fc.integer(), fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n), (small, large) => {
        const of = func({ in: [], out: ["i32", "i64"] }, () => {
          i32.const(small);
          i64.const(large);
        });
        expect(run(of)).toEqual([small, BigInt.asIntN(64, large)]);
      }),
      { numRuns: tries(200) },
    );
  });

  it("as offsets up to the last one", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
    const offsets = [0, 1, 127, 128, 255, 16383, 16384, 65535];
    offsets.forEach((offset, i) => (new Uint8Array(memory.buffer)[offset] = i + 1));
    const reading = (offset: number) => giving("i32", () => void i32.load8_u({ offset }, 0));
    const all = [...offsets, 65536, 2 ** 31, 2 ** 32 - 1];
    const exports = Object.fromEntries(all.map((offset) => [`at${offset}`, reading(offset)]));
    const made = instantiate({ memory: MEMORY, exports }, { env: { memory } });
    expect(offsets.map((offset) => made[`at${offset}`]!())).toEqual(offsets.map((_, i) => i + 1));
    for (const outside of all.slice(offsets.length)) expect(made[`at${outside}`]).toThrow(/out of bounds/);
  });

  it.each([
    ["2^32", () => i32.const(2 ** 32)],
    ["below -2^31", () => i32.const(-(2 ** 31) - 1)],
    ["a fraction", () => i32.const(0.5)],
    ["NaN", () => i32.const(NaN)],
    ["2^64", () => i64.const(2n ** 64n)],
    ["below -2^63", () => i64.const(-(2n ** 63n) - 1n)],
    [
      "a lane of 256",
      () =>
        v128.const(
          "i8x16",
          Array.from({ length: 16 }, () => 256),
        ),
    ],
    ["lanes of 2^64", () => v128.const("i64x2", [0n, 2n ** 64n])],
    ["too few lanes", () => v128.const("f32x4", [1, 2, 3])],
    ["a negative offset", () => i32.load({ offset: -4 }, 0)],
    ["an alignment of 3", () => i32.load({ align: 3 }, 0)],
  ])("and not taken where they have no place: %s", (_, write) => {
    const of = giving("i32", () => void write());
    expect(() => assemble({ memory: MEMORY, exports: { of } })).toThrow(/expected, got/);
  });
});

describe("constants keep their bits", () => {
  const bitsOf32 = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
  const bitsOf64 = (value: number): bigint => new BigUint64Array(new Float64Array([value]).buffer)[0]!;

  it("of single floats", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (value) => {
        const of = giving("i32", () => {
          i32x4.extract_lane(0, f32x4.splat(value));
        });
        expect((run(of) as number) >>> 0).toBe(bitsOf32(value));
      }),
      { numRuns: tries(100) },
    );
  });

  it("of doubles", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        const of = giving("i64", () => {
          i64x2.extract_lane(0, f64x2.splat(value));
        });
        expect(BigInt.asUintN(64, run(of) as bigint)).toBe(bitsOf64(value));
      }),
      { numRuns: tries(100) },
    );
  });

  it("of NaN, which is quiet and has no sign, however the host has it", () => {
    const odd = new Float64Array(new BigUint64Array([0xfff0_0000_0000_0001n]).buffer)[0]!;
    const ofNaN = func({ in: [], out: ["i32", "i64", "i32", "i64"] }, () => {
      i32x4.extract_lane(0, f32x4.splat(f32.const(odd)));
      i64x2.extract_lane(0, f64x2.splat(f64.const(odd)));
      i32x4.extract_lane(3, v128.const("f32x4", [1, 2, 3, odd]));
      i64x2.extract_lane(0, f64x2.splat(NaN));
    });
    expect(run(ofNaN)).toEqual([0x7fc00000, 0x7ff80000n << 32n, 0x7fc00000, 0x7ff80000n << 32n]);
  });

  it("of vectors by bytes: NaNs with any sign and payload", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
        const of = func({ in: [], out: [] }, () => {
          v128.store({ align: 1 }, 5, v128.const("i8x16", [...bytes]));
          v128.store({ align: 1 }, 21, v128.const("i32x4", [...new Uint32Array(bytes.buffer)]));
          v128.store({ align: 1 }, 37, v128.const("i64x2", [...new BigInt64Array(bytes.buffer)]));
        });
        instantiate({ memory: MEMORY, exports: { of } }, { env: { memory } }).of!();
        expect([...new Uint8Array(memory.buffer, 5, 48)]).toEqual([...bytes, ...bytes, ...bytes]);
      }),
      { numRuns: tries(50) },
    );
  });
});

describe("operands", () => {
  const difference = (write: (a: Input<"i32">, b: Input<"i32">) => void) =>
    func({ in: ["i32", "i32"], out: ["i32"] }, ([a, b]) => write(a, b));

  it.each([
    ["locals", difference((a, b) => i32.sub(a!, b!)), 3],
    ["on the stack", difference((a, b) => (i32.add(a!, 0), i32.add(b!, 0), i32.sub())), 3],
    ["one on the stack, then a local", difference((a, b) => i32.sub(i32.add(a!, 0), b!)), 3],
    ["a local, then one on the stack", difference((a, b) => i32.sub(a!, i32.add(b!, 0))), 3],
    ["a constant, then one on the stack", difference((_, b) => i32.sub(1000, i32.add(b!, 0))), 996],
    ["a local below deep ones", difference((a, b) => i32.sub(a!, i32.sub(b!, i32.sub(1, i32.add(b!, 0))))), 7 - (4 - (1 - 4))],
  ] as const)("in the order they are named in: %s", (_, of, result) => expect(run(of, 7, 4)).toBe(result)); // prettier-ignore

  it("that are put below others move none of these", () => {
    const of = func({ in: ["i32"], out: ["i32", "i32", "i32"] }, ([x]) => {
      i32.const(100);
      i32.sub(x!, i32.mul(2, i32.add(x!, 1)));
      i32.sub(1, i32.sub(x!, i32.const(5)));
    });
    expect(run(of, 10)).toEqual([100, 10 - 2 * 11, 1 - 5]);
  });

  it("of three, some of them on the stack", () => {
    const pick = (cond: number) =>
      func({ in: ["i32"], out: ["i32"] }, ([x]) => void select("i32", x!, i32.add(x!, 1), cond));
    expect([run(pick(1), 5), run(pick(0), 5)]).toEqual([5, 6]);
  });

  it("of which several are put below others", () => {
    const pick = func(
      { in: ["i32", "i32", "i32"], out: ["i32"] },
      ([x, y, n]) => void select("i32", x!, y!, i32.eqz(n!)),
    );
    expect([run(pick, 5, 6, 0), run(pick, 5, 6, 1)]).toEqual([5, 6]);
    const digits = func({ in: ["i32", "i32", "i32", "i32"], out: ["i32"] }, ([a, b, c, d]) => {
      i32.add(i32.mul(1000, a!), i32.add(i32.mul(100, b!), i32.add(i32.mul(10, c!), d!)));
    });
    const mixed = func(
      { in: ["i32"], out: ["i32"] },
      ([x]) => void call(digits, [x!, i32.add(x!, 1), i32.const(3), 4]),
    );
    const woven = func({ in: ["i32"], out: ["i32"] }, ([x]) => {
      const [second, fourth] = [i32.add(x!, 1), i32.add(x!, 3)];
      call(digits, [x!, second, 3, fourth]);
    });
    expect([run(mixed, 1), run(woven, 1)]).toEqual([1234, 1234]);
  });

  it("as expressions of any shape", () => {
    type Tree = { readonly op: "add" | "sub" | "mul"; readonly left: Tree; readonly right: Tree } | number;
    const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "medium" },
        fc.integer({ min: -2, max: 9 }),
        fc.record({ op: fc.constantFrom("add", "sub", "mul"), left: tie("tree"), right: tie("tree") }),
      ),
    }));
    const value = (node: Tree): number => {
      if (typeof node === "number") return node < 0 ? 11 + node : node;
      const [left, right] = [value(node.left), value(node.right)];
      if (node.op === "mul") return Math.imul(left, right);
      return node.op === "add" ? (left + right) | 0 : (left - right) | 0;
    };
    fc.assert(
      fc.property(tree, (root) => {
        const of = func({ in: ["i32", "i32"], out: ["i32"] }, (args) => {
          // numbers below 0 are arguments
          const write = (node: Tree): Input<"i32"> =>
            typeof node === "number" ? (node < 0 ? args[(node + 2) as 0]! : node) : i32[node.op](write(node.left), write(node.right));
          i32.add(0, write(root));
        }); // prettier-ignore
        expect(run(of, 9, 10)).toBe(value(root));
      }),
      { numRuns: tries(300) },
    );
  });
});

describe("locals", () => {
  it("of all types, mixed, hold what is put there and begin as 0", () => {
    const types: Types = ["f64", "i32", "v128", "v128", "i64", "f32", "i32", "v128", "f64", "i32"];
    const results = types.map((type) => (type === "v128" ? "i32" : type));
    const reading = (set: boolean) =>
      func({ in: ["i32"], locals: types, out: results }, ([x], all) => {
        if (set) all.forEach((to, i) => local.set(to, valueOf(to.type, i)));
        all.forEach((from) => {
          local.get(from);
          if (from.type === "v128") i32x4.extract_lane(2);
        });
        local.get(x!);
        drop("i32");
      });
    const valueOf = (type: ValueType, i: number) =>
      type === "v128" ? v128.const("i32x4", [0, 0, i, 0]) : ((type === "i64" ? BigInt(i) : i) as never);
    expect(run(reading(true), 5)).toEqual(types.map((type, i) => (type === "i64" ? BigInt(i) : i)));
    expect(run(reading(false), 5)).toEqual(types.map((type) => (type === "i64" ? 0n : 0)));
  });

  it("many of them, set and left on the stack", () => {
    const types = Array.from({ length: 300 }, () => "i32" as const);
    const of = func({ in: ["i32"], locals: types, out: ["i32"] }, ([x], all) => {
      local.get(x!);
      for (const to of all) {
        local.tee(to, i32.add(x!, 1));
        i32.add();
      }
      all.forEach((from) => {
        local.get(from);
        i32.add();
      });
    });
    expect(run(of, 2)).toBe(2 + 600 * 3);
  });
});

describe("control flow", () => {
  it("leaves blocks, begins loops anew and chooses", () => {
    // the sum of the odd numbers below n
    const of = func({ in: ["i32"], locals: ["i32", "i32"], out: ["i32"] }, ([n], [i, sum]) => {
      block((done) => {
        loop((next) => {
          i32.ge_u(i!, n!);
          br_if(done);
          i32.and(i!, 1);
          when(
            () => local.set(sum!, i32.add(sum!, i!)),
            () => local.set(sum!, i32.add(sum!, 0)),
          );
          local.set(i!, i32.add(i!, 1));
          br(next);
        });
      });
      local.get(sum!);
    });
    expect(run(of, 10)).toBe(25);
  });

  it("ends functions early", () => {
    const of = func({ in: ["i32"], out: ["i32"] }, ([x]) => {
      local.get(x!);
      when(() => {
        i32.const(7);
        return_();
      });
      i32.const(8);
    });
    expect([run(of, 1), run(of, 0)]).toEqual([7, 8]);
  });

  it("nests deeply", () => {
    const depth = 500;
    const of = func({ in: ["i32"], locals: ["i32"], out: ["i32"] }, ([x], [count]) => {
      const labels: Label[] = [];
      const nest = (): void => {
        if (labels.length === depth) {
          return labels.forEach((label, i) => {
            i32.eq(x!, i);
            br_if(label);
          });
        }
        block((label) => {
          labels.push(label);
          nest();
        });
        local.set(count!, i32.add(count!, 1));
      };
      nest();
      local.get(count!);
    });
    expect([0, 1, 250, 499].map((x) => run(of, x))).toEqual([1, 2, 251, 500]);
  });

  it("in long bodies", () => {
    const of = func({ in: ["i32"], out: ["i32"] }, ([x]) => {
      local.get(x!);
      for (let i = 0; i < 100_000; i++) {
        i32.const(i);
        i32.add();
      }
    });
    expect(run(of, 1)).toBe((1 + (99_999 * 100_000) / 2) | 0);
  });
});

describe("modules", () => {
  it("have what their functions call, once, also where functions call each other or themselves", () => {
    const isEven: Func<["i32"], ["i32"]> = func({ in: ["i32"], out: ["i32"] }, ([n]) => parity(n!, 1));
    const isOdd: Func<["i32"], ["i32"]> = func({ in: ["i32"], out: ["i32"] }, ([n]) => parity(n!, 0));
    const early = (value: () => void): void =>
      when(() => {
        value();
        return_();
      });
    const parity = (n: Input<"i32">, ofZero: number): void => {
      i32.eqz(n);
      early(() => void i32.const(ofZero));
      call(ofZero ? isOdd : isEven, [i32.sub(n, 1)]);
    };
    const factorial: Func<["i64"], ["i64"]> = func({ in: ["i64"], out: ["i64"] }, ([n]) => {
      i64.eqz(n!);
      early(() => void i64.const(1n));
      i64.mul(n!, call(factorial, [i64.sub(n!, 1n)]));
    });
    const made = instantiate({ exports: { isEven, factorial, again: isEven } });
    expect([0, 1, 2, 7].map((n) => made.isEven!(n))).toEqual([1, 0, 1, 0]);
    expect(made.again!(4)).toBe(1);
    expect(made.factorial!(20n)).toBe(2432902008176640000n);
    expect(made.isOdd).toBeUndefined();
  });

  it("of very many functions", () => {
    const one = (i: number) => func({ in: ["i32"], out: ["i32"] }, ([x]) => void i32.add(x!, i));
    const all = Array.from({ length: 400 }, (_, i) => one(i));
    const sum = func({ in: ["i32"], out: ["i32"] }, ([x]) => {
      i32.const(0);
      for (const each of all) {
        call(each, [x!]);
        i32.add();
      }
    });
    expect(run(sum, 2)).toBe(800 + (399 * 400) / 2);
  });

  it("share memory where they say so", () => {
    const shared = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    const of = func({ in: [], out: ["i32"] }, () => {
      i32.store({}, 8, i32.add(i32.load({}, 8), 5));
      i32.load({}, 8);
    });
    const parts = { memory: { ...MEMORY, shared: true }, exports: { of } };
    const made = instantiate(parts, { env: { memory: shared } });
    expect([made.of!(), made.of!(), new Int32Array(shared.buffer)[2]]).toEqual([5, 10, 10]);
    const alone = new WebAssembly.Memory({ initial: 1, maximum: 2 });
    expect(() => instantiate(parts, { env: { memory: alone } })).toThrow(WebAssembly.LinkError);
  });

  it("are the same whatever was assembled before", () => {
    const of = func({ in: ["i32"], locals: ["v128"], out: ["i32"] }, ([x], [v]) => {
      local.set(v!, i32x4.splat(x!));
      i32x4.extract_lane(3, i32x4.add(v!, v!));
    });
    const first = assemble({ exports: { of } });
    run(giving("f32", () => void f32.const(1)));
    expect(assemble({ exports: { of } })).toEqual(first);
  });

  it("are assembled while another one is", () => {
    const inner = giving("i32", () => void i32.const(5));
    const of = giving("i32", () => {
      i32.const(1);
      const five = run(inner) as number;
      i32.add(five, i32.const(2));
      i32.add();
    });
    expect(run(of)).toBe(8);
  });
});

describe("what is wrong with a body", () => {
  const bad: readonly (readonly [string, () => void, RegExp])[] = [
    ["an operand that is not there", () => i32.add(), /i32 expected on the stack, got: nothing/],
    ["one of another type", () => (f32.const(1), i32.eqz()), /i32 expected on the stack, got: f32/],
    ["something left over", () => (i32.const(1), i32.const(2)), /nothing more expected .* got: i32/],
    ["no result", () => {}, /i32 expected on the stack, got: nothing/],
    ["something left in a block", () => (block(() => void i32.const(1)), i32.const(1)), /nothing more expected/],
    ["an operand outside of the block", () => (i32.const(1), block(() => drop("i32"))), /got: nothing/],
    ["a vector in the place of a number", () => i32.add(v128.const("i32x4", [1, 2, 3, 4]) as never, 1), /got: v128/],
    ["a number in the place of a vector", () => f32x4.add(1 as never, 2 as never), /in the place of a vector/],
    ["too few operands", () => (i32.add as unknown as (one: number) => void)(1), /2 operands expected, got: 1/],
  ];

  it.each(bad)("is said where it is written: %s", (_, write, message) => {
    const of = giving("i32", write);
    expect(() => assemble({ memory: MEMORY, exports: { of } })).toThrow(message);
  });

  it("is a branch to a block that is closed", () => {
    const of = func({ in: [], out: [] }, () => {
      const labels: Label[] = [];
      block((label) => void labels.push(label));
      block(() => br(labels[0]!));
    });
    expect(() => assemble({ exports: { of } })).toThrow("not open here");
  });

  it("is a local of another type", () => {
    const of = func({ in: ["f32"], out: ["i32"] }, ([x]) => void i32.eqz(x as never));
    expect(() => assemble({ exports: { of } })).toThrow("i32 expected, got a local of type f32");
  });

  it("is a name that is no ASCII", () => {
    const ä = giving("i32", () => void i32.const(1));
    expect(() => assemble({ exports: { ä } })).toThrow("ASCII");
  });

  it("is an instruction outside of bodies", () => {
    expect(() => i32.const(1)).toThrow("outside of the body of a function");
  });

  it("spoils nothing that comes after: bodies that throw anywhere", () => {
    const good = func({ in: ["i32"], out: ["i32"] }, ([x]) => {
      block((done) => {
        local.get(x!);
        br_if(done);
        local.set(x!, 9);
      });
      i32.add(x!, i32.const(1));
    });
    const bytes = assemble({ exports: { good } });
    const stop = (): never => {
      throw new RangeError("a defect of the caller");
    };
    const throwing = [
      () => stop(),
      () => (i32.const(1), stop()),
      () => block(() => loop(() => (i32.const(1), stop()))),
      () => (i32.const(1), when(() => {}, stop)),
      () => void call(giving("i32", stop)),
    ];
    for (const write of throwing) {
      expect(() => assemble({ exports: { good, of: giving("i32", () => void write()) } })).toThrow("a defect of the caller"); // prettier-ignore
      expect(() => i32.const(1)).toThrow("outside of the body of a function");
      expect(assemble({ exports: { good } })).toEqual(bytes);
      expect([run(good, 0), run(good, 4)]).toEqual([10, 5]);
    }
  });
});
