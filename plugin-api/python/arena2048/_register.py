"""Makes the environments known to Gymnasium, which calls this when it is imported."""


def register() -> None:
    """Registers `arena2048/2048-v1`."""
    import gymnasium

    gymnasium.register(
        id="arena2048/2048-v1",
        entry_point="arena2048.env:GameEnv",
        vector_entry_point="arena2048.env:GameVectorEnv",
    )
