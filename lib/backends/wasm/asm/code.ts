/** What functions of kernels are made of, by the name that some emitters still have for it. */
export { copyOne, type Size } from "./items";
export { onward, range, repeat, when } from "./control";
export { advance, define, push, setAddress, setMinimum, type Code, type Int, type Long, type Vector } from "./locals";
