class BaseEnvironment:
    pass
