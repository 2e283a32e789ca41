class AgentContext:
    n_input_tokens = None
    n_cache_tokens = None
    n_output_tokens = None
    cost_usd = None
