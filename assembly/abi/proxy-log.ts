// In a file of its own: the abort hook needs it, and imports.ts needs the abort hook.

// @ts-ignore: decorator
@external("env", "proxy_log")
export declare function proxy_log(level: u32, messagePtr: usize, messageSize: usize): u32;
